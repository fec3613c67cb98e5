import type { WriteContext } from "../../../../kernel/context.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { exampleBody, examplePolicy } from "../example.ts";
import { policyFacts } from "../facts.ts";
import { replayCandidate, reportLine } from "../replay.ts";
import { agentsOfScopes, policyFaults, textOf } from "../rules.ts";
import { Policy, PolicyBody } from "../schemas.ts";
import { insertVersion } from "../store.ts";
import { policyRevision, policyView } from "../view.ts";

/** Replays a text that is to decide, and says in the call's record what that found. Nothing of it for other states. */
export async function replayBefore(ctx: WriteContext, one: { id: string; version: number; body: PolicyBody }) {
  if (one.body.state !== "active") return null;
  const report = await replayCandidate(ctx, { id: one.id, version: one.version, text: textOf(one.body) });
  ctx.note(reportLine(report));
  return report;
}

export const createPolicy = defineOperation({
  id: "governance.createPolicy",
  method: "POST",
  path: "/v1/governance/policies",
  status: 201,
  listed: true,
  summary: "Create a policy",
  description:
    "Version 1 of a policy of this environment, by default in shadow: it is evaluated for each call, and what it would have done is recorded and listed among the violations. " +
    "One that is to be active at once is first replayed over the calls that were recorded; the digest of that report stands in the audit record. " +
    "Faults of the condition name line and column.",
  body: PolicyBody,
  output: Policy,
  example: { body: exampleBody, output: examplePolicy },
  location: (output) => `/v1/governance/policies/${output.policy_id}`,
  revision: policyRevision,
  permission: "governance:write",
  load: exempt("names no object; makes one"),
  narrowing: byBody("the agents in the policy's scope", (_ctx, { body }: { body: PolicyBody }) =>
    agentsOfScopes(body.scope ?? {}),
  ),
  validate: (ctx, { body }) => policyFaults(ctx, body),
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("policy.create"),
  audit: ({ output }) => (output ? `policy:${output.policy_id}` : "policies"),
  async handle(ctx, { body }) {
    const id = ctx.newId("pol");
    const report = await replayBefore(ctx, { id, version: 1, body });
    const { state = "shadow", name, note = "" } = body;
    const version = { id, version: 1, state, name, note, text: textOf(body), report };
    const { row, lines } = await insertVersion(ctx, version, { lines: [], active: null, shadow: null });
    await noteRuleChange(ctx, `policy:${id}`, `Created the policy ${name}, now ${state}`);
    ctx.touch(policyFacts);
    return policyView(row, lines);
  },
});
