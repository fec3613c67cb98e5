import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleAgent } from "../example.ts";
import { Agent } from "../schemas.ts";
import { listAgents as readPage } from "../store.ts";
import { agentView } from "../view.ts";

const Filters = {
  status: Type.Optional(
    Type.Array(Type.Enum(["deployed", "draft", "archived"]), {
      description: "States in the environment of the key, separated by commas.",
    }),
  ),
  label: Type.Optional(Type.String({ description: "Agents that carry this label." })),
  owner: Type.Optional(Type.String({ description: "Agents of this member, `mbr_…`." })),
};

export const listAgents = defineRead({
  id: "agents.listAgents",
  path: "/v1/agents",
  listed: true,
  summary: "List agents",
  description: "Newest first, each as it stands in the environment of the key. Filters narrow together.",
  query: listQuery(Filters),
  output: pageSchema(Agent),
  example: { output: { data: [exampleAgent], has_more: false, next_cursor: null } },
  permission: "agents:read",
  load: exempt("names no object; the list holds what the key may see"),
  narrowing: limitedTo("lists the key's agents"),
  compliance: governs("agent.read"),
  audit: "agents",
  handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    return listPage(ctx, query, filter, {
      sort: "-created_at",
      read: (page) => readPage(ctx, filter, page),
      positionOf: (row) => ({ keys: [row.created_us], id: row.name }),
      item: agentView,
    });
  },
});
