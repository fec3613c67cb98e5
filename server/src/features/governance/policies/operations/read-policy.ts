import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { examplePolicy } from "../example.ts";
import { Policy, PolicyId } from "../schemas.ts";
import { concernsOwn, findPolicy, type PolicyRow } from "../store.ts";
import { policyRevision, readPolicyView } from "../view.ts";

export const readPolicy = defineRead({
  id: "governance.readPolicy",
  path: "/v1/governance/policies/{policy}",
  listed: true,
  summary: "Read a policy",
  description:
    "The newest version of a policy, or the one that `version` names, with the replay that preceded its activation, the versions in force, and the history. " +
    "The ETag of the newest version is what a change has to name as If-Match.",
  params: Type.Object({ policy: PolicyId }),
  query: Type.Object(
    {
      version: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Which version; default: the newest." }),
      ),
    },
    closed,
  ),
  output: Policy,
  example: { params: { policy: examplePolicy.policy_id }, output: examplePolicy },
  revision: policyRevision,
  permission: "governance:read",
  load: (ctx, { policy }) => findPolicy(ctx, policy),
  narrowing: byObject(
    "a policy that concerns one of the key's agents, be it for all agents",
    async (ctx, { loaded }: { loaded: PolicyRow }) =>
      (await concernsOwn(ctx, loaded.id)) ? ctx.principal.agents : null,
  ),
  compliance: governs("policy.read"),
  audit: ({ params }) => `policy:${params.policy}`,
  async handle(ctx, { query, loaded }: { query: { version?: number }; loaded: PolicyRow }) {
    const view = await readPolicyView(ctx, loaded.id, query.version);
    if (view) return view;
    throw refuse(notFound, `${loaded.id} has no version ${query.version}; its versions are 1 to ${loaded.newest}.`);
  },
});
