import { Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { staleRevision } from "../../../../kernel/problems.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { policyRetired } from "../errors.ts";
import { exampleBody, examplePolicy } from "../example.ts";
import { policyFacts } from "../facts.ts";
import { agentsOfScopes, policyFaults, scopesInForce, textOf } from "../rules.ts";
import { Policy, PolicyBody, PolicyId } from "../schemas.ts";
import {
  findPolicy,
  insertVersion,
  lockPolicy,
  type PolicyRow,
  retireVersions,
  type VersionLine,
  type VersionState,
} from "../store.ts";
import { policyRevision, policyView, rowRevision } from "../view.ts";
import { replayBefore } from "./create-policy.ts";

/** Which earlier versions end when one of this state comes: a draft ends drafts only, a shadow leaves the active version in force beside it. */
const ended: Readonly<Record<"draft" | "shadow" | "active", readonly VersionState[]>> = {
  draft: ["draft"],
  shadow: ["draft", "shadow"],
  active: ["draft", "shadow", "active"],
};

export const replacePolicy = defineOperation({
  id: "governance.replacePolicy",
  method: "PUT",
  path: "/v1/governance/policies/{policy}",
  listed: true,
  summary: "Replace a policy",
  description:
    "Adds the next version; versions never change. In shadow (the default) the active version goes on deciding beside it. As active it is first replayed over " +
    "recorded calls, and then takes the place of all earlier versions at once. As a draft it changes nothing that is in force.",
  params: Type.Object({ policy: PolicyId }),
  body: PolicyBody,
  output: Policy,
  example: { params: { policy: examplePolicy.policy_id }, body: exampleBody, output: examplePolicy },
  revision: policyRevision,
  ifMatch: (loaded: PolicyRow) => rowRevision(loaded),
  permission: "governance:write",
  load: (ctx, { policy }) => findPolicy(ctx, policy),
  narrowing: byBody(
    "the agents in the policy's scope, before and after",
    (ctx, { loaded, body }: { loaded: PolicyRow; body: PolicyBody }) =>
      agentsOfScopes(...scopesInForce(ctx, loaded.id), loaded.definition.scope, body.scope ?? {}),
  ),
  validate: (ctx, { body }) => policyFaults(ctx, body),
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("policy.replace"),
  audit: ({ params }) => `policy:${params.policy}`,
  errors: [policyRetired],
  async handle(ctx, { loaded, body }) {
    if (loaded.state === "retired") throw retired(loaded);
    const version = loaded.version + 1;
    // Before the lock: a replay takes its time, and nobody is to wait for it.
    const report = await replayBefore(ctx, { id: loaded.id, version, body });
    const before = await lockUnchanged(ctx, loaded);
    const { state = "shadow", name, note = "" } = body;
    const { id, active, shadow } = loaded;
    const left = { lines: await retireVersions(ctx, id, ended[state], before), active, shadow };
    const { row, lines } = await insertVersion(
      ctx,
      { id, version, state, name, note, text: textOf(body), report },
      left,
    );
    await noteRuleChange(ctx, `policy:${loaded.id}`, `Changed the policy ${name}, now ${state}`);
    ctx.touch(policyFacts);
    return policyView(row, lines);
  },
});

export const retired = ({ id }: PolicyRow): Error =>
  refuse(policyRetired, `${id} is retired; create a new policy with the text that you want.`);

/** Locks a policy and returns its newest versions; somebody may have changed it since it was loaded. */
export async function lockUnchanged(ctx: WriteContext, loaded: PolicyRow): Promise<VersionLine[]> {
  const lines = await lockPolicy(ctx, loaded.id);
  const [newest] = lines;
  if (newest && rowRevision(newest) === rowRevision(loaded)) return lines;
  throw refuse(
    staleRevision,
    "It was changed since you read it; read it again and repeat the change on what is there now.",
  );
}
