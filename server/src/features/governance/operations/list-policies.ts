import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { exampleSummary } from "../policies/example.ts";
import { countViolations, listPolicies as readPage } from "../policies/store.ts";
import { policySummary } from "../policies/view.ts";
import { PolicyEffect, PolicyState, PolicySummary } from "../policies-schemas.ts";

const Query = listQuery({
  state: Type.Optional(
    Type.Array(PolicyState, { description: "Policies with a version in one of these states; `retired` once all are." }),
  ),
  effect: Type.Optional(
    Type.Array(PolicyEffect, { description: "Effects of the newest version, separated by commas." }),
  ),
  action: Type.Optional(Type.String({ description: "Policies that are asked about this action." })),
});

/** Lists policies. */
export const listPolicies = withPorts(({ policies: port }) =>
  defineRead({
    id: "governance.listPolicies",
    method: "GET",
    path: "/v1/governance/policies",
    status: 200,
    listed: true,
    summary: "List policies",
    description:
      "The policies of this environment, newest first, each by its newest version, with what it found in the last 30 days.",
    params: Type.Object({}),
    query: Query,
    output: pageSchema(PolicySummary),
    example: { output: { data: [exampleSummary], has_more: false, next_cursor: null } },
    permission: "governance:read",
    load: exempt("names no object; the list holds the policies of the environment"),
    narrowing: limitedTo("lists policies that concern the key's agents, those for all agents among them"),
    gate: exempt("reads, makes no agent act"),
    compliance: governs("policy.read", () => ({})),
    audit: () => ({ object: "policies" }),
    emits: [],
    errors: [],
    async handle(ctx, { query }) {
      const { limit: _limit, cursor: _cursor, ...filter } = query;
      const page = await listPage(ctx, query, filter, {
        sort: "-created_at",
        read: (request) =>
          readPage(ctx, filter, filter.action !== undefined && port.isAgentAction(filter.action), request),
        positionOf: (row) => ({ keys: [], id: row.id }),
        item: (row) => row,
      });
      const counts = await countViolations(
        ctx,
        page.data.map(({ id }) => id),
      );
      return { ...page, data: page.data.map((row) => policySummary(row, counts.get(row.id))) };
    },
  }),
);
