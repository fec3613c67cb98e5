import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { policyPort } from "../../ports.ts";
import { exampleSummary } from "../example.ts";
import { PolicyEffect, PolicyState, PolicySummary } from "../schemas.ts";
import { countViolations, listPolicies as readPage } from "../store.ts";
import { policySummary } from "../view.ts";

const filters = {
  state: Type.Optional(
    Type.Array(PolicyState, { description: "Policies with a version in one of these states; `retired` once all are." }),
  ),
  effect: commaList(PolicyEffect, "Effects of the newest version"),
  action: Type.Optional(Type.String({ description: "Policies that are asked about this action." })),
};

export const listPolicies = defineList({
  id: "governance.listPolicies",
  path: "/v1/governance/policies",
  listed: true,
  summary: "List policies",
  description:
    "The policies of this environment, newest first, each by its newest version, with what it found in the last 30 days.",
  filters,
  item: PolicySummary,
  example: { item: exampleSummary },
  permission: "governance:read",
  narrowing: limitedTo("lists policies that concern the key's agents, those for all agents among them"),
  compliance: governs("policy.read"),
  audit: "policies",
  async read(ctx, filter, page) {
    const ofAgents = filter.action !== undefined && ctx.port(policyPort).isAgentAction(filter.action);
    const rows = await readPage(ctx, filter, ofAgents, page);
    const counts = await countViolations(
      ctx,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ ...row, violations: counts.get(row.id) }));
  },
  position: ({ id }) => id,
  view: ({ violations, ...row }) => policySummary(row, violations),
});
