import { Type } from "typebox";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { policyRetired } from "../errors.ts";
import { exampleRetired } from "../example.ts";
import { policyFacts } from "../facts.ts";
import { agentsOfScopes, scopesInForce } from "../rules.ts";
import { Policy, PolicyId } from "../schemas.ts";
import { findPolicy, type PolicyRow, retireVersions } from "../store.ts";
import { policyRevision, policyView, rowRevision } from "../view.ts";
import { lockUnchanged, retired } from "./replace-policy.ts";

export const retirePolicy = defineOperation({
  id: "governance.retirePolicy",
  method: "DELETE",
  path: "/v1/governance/policies/{policy}",
  listed: true,
  summary: "Retire a policy",
  description:
    "Ends all versions of a policy: within a second no call is asked by it anywhere. Its versions are kept for the audit.",
  params: Type.Object({ policy: PolicyId }),
  output: Policy,
  example: { params: { policy: exampleRetired.policy_id }, output: exampleRetired },
  revision: policyRevision,
  ifMatch: (loaded: PolicyRow) => rowRevision(loaded),
  permission: "governance:write",
  load: (ctx, { policy }) => findPolicy(ctx, policy),
  narrowing: byObject("the agents in the policy's scope", (ctx, { loaded }: { loaded: PolicyRow }) =>
    agentsOfScopes(...scopesInForce(ctx, loaded.id), loaded.definition.scope),
  ),
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("policy.retire"),
  audit: ({ params }) => `policy:${params.policy}`,
  errors: [policyRetired],
  async handle(ctx, { loaded }) {
    if (loaded.state === "retired") throw retired(loaded);
    const before = await lockUnchanged(ctx, loaded);
    const lines = await retireVersions(ctx, loaded.id, ["draft", "shadow", "active"], before);
    await noteRuleChange(ctx, `policy:${loaded.id}`, `Retired the policy ${loaded.name || loaded.id}`);
    ctx.touch(policyFacts);
    const retiredNow = { state: "retired", retired_at: new Date(ctx.now), retired_by: ctx.principal.id } as const;
    return policyView({ ...loaded, ...retiredNow, active: null, shadow: null }, lines);
  },
});
