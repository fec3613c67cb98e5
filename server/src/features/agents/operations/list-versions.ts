import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleVersion } from "../example.ts";
import { AgentName, AgentVersion } from "../schemas.ts";
import { type AgentRow, findAgent } from "../store.ts";
import { listVersionRecords } from "../version-store.ts";
import { versionView } from "../view.ts";

export const listVersions = defineRead({
  id: "agents.listVersions",
  path: "/v1/agents/{agent}/versions",
  listed: true,
  summary: "List an agent's versions",
  description:
    "Newest first, each with its author, its note and what the evaluation gate says of it in the environment of the key.",
  params: Type.Object({ agent: AgentName }),
  query: listQuery({}),
  output: pageSchema(AgentVersion),
  example: { params: { agent: "sales" }, output: { data: [exampleVersion], has_more: false, next_cursor: null } },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", (_ctx, { loaded }: { loaded: AgentRow }) => ({
    agent: { name: loaded.name, labels: loaded.labels },
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  handle(ctx, { query, loaded: { name } }) {
    return listPage(
      ctx,
      query,
      { agent: name },
      {
        sort: "-version",
        read: (page) => listVersionRecords(ctx, name, page),
        positionOf: (row) => ({ keys: [row.number], id: row.id }),
        item: (row) => versionView(row, ctx.now),
      },
    );
  },
});
