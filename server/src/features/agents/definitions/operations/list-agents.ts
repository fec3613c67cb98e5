import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleAgent } from "../../example.ts";
import { Agent } from "../../schemas.ts";
import { listAgents as readPage } from "../store.ts";
import { agentView } from "../view.ts";

const filters = {
  status: commaList(Type.Enum(["deployed", "draft", "archived"]), "States in the environment of the key"),
  label: Type.Optional(Type.String({ description: "Agents with this label." })),
  owner: Type.Optional(Type.String({ description: "Agents of this member, `mbr_…`." })),
};

export const listAgents = defineList({
  id: "agents.listAgents",
  path: "/v1/agents",
  listed: true,
  summary: "List agents",
  description: "Newest first, each with its state in the environment of the key. Filters combine.",
  filters,
  item: Agent,
  example: { item: exampleAgent },
  permission: "agents:read",
  narrowing: limitedTo("lists the key's agents"),
  compliance: governs("agent.read"),
  audit: "agents",
  read: readPage,
  position: (row) => ({ keys: [row.created_us], id: row.name }),
  view: agentView,
});
