import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { checkFaults, checkCall as judge } from "../check.ts";
import { CheckBody, CheckResult } from "../check-schemas.ts";
import { exampleCheck } from "../example.ts";

export const checkCall = defineOperation({
  id: "governance.check",
  method: "POST",
  path: "/v1/governance/check",
  listed: true,
  summary: "Check a proposed call",
  description:
    "What would become of a call now: what the evaluation gate, kill switches and pauses, every policy and every budget say of it, and who would be asked. Nothing is done, reserved or counted " +
    "as a violation. `as` asks for another role than the key's.",
  body: CheckBody,
  output: CheckResult,
  example: {
    body: { action: "task.dispatch", agent: "sales", skill: "qualify_lead", input: { lead_id: "ld_1001" } },
    output: exampleCheck,
  },
  permission: "governance:read",
  load: exempt("names no object; the call stands in the body"),
  narrowing: byBody("the agent in the body", (_ctx, { body }: { body: { agent?: string } }) =>
    body.agent === undefined ? null : [body.agent],
  ),
  validate: (ctx, { body }) => checkFaults(ctx, body),
  gate: exempt("makes no agent act; says what the gate would say"),
  decides: exempt("judges and changes nothing"),
  compliance: governs("policy.check"),
  audit: "policies",
  handle: (ctx, { body }) => judge(ctx, body),
});
