import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { findAgent, seenAgent } from "../../definitions/store.ts";
import { versionView } from "../../definitions/view.ts";
import { exampleVersion } from "../../example.ts";
import { AgentName, AgentVersion } from "../../schemas.ts";
import { listVersionRecords } from "../store.ts";

export const listVersions = defineList({
  id: "agents.listVersions",
  path: "/v1/agents/{agent}/versions",
  listed: true,
  summary: "List an agent's versions",
  description:
    "Newest first, each with its author, its note and what the evaluation gate says of it in the environment of the key.",
  params: Type.Object({ agent: AgentName }),
  item: AgentVersion,
  example: { params: { agent: "sales" }, item: exampleVersion },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  sort: "-version",
  read: (ctx, _filter, page, { name }) => listVersionRecords(ctx, name, page),
  position: (row) => ({ keys: [row.number], id: row.id }),
  view: (row, ctx) => versionView(row, ctx.now),
});
