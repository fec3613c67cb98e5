import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleAgent } from "../../example.ts";
import { Agent, AgentName } from "../../schemas.ts";
import { writeBundle } from "../bundle/index.ts";
import { yamlType } from "../file.ts";
import { joinBundle } from "../schemas.ts";
import { findAgent, seenAgent } from "../store.ts";
import { agentRevision, agentView } from "../view.ts";

export const readAgent = defineRead({
  id: "agents.readAgent",
  path: "/v1/agents/{agent}",
  listed: true,
  summary: "Read an agent",
  description:
    "The draft, and the version that is live in the environment of the key. The ETag changes with either. As a file (`Accept: application/yaml`) " +
    "it is the whole draft, which POST /v1/agents and PATCH read back without loss.",
  params: Type.Object({ agent: AgentName }),
  output: Agent,
  writes: {
    [yamlType]: {
      etag: "yaml",
      write: ({ agent, labels, definition }) => writeBundle(joinBundle(agent, labels, definition)),
    },
  },
  example: { params: { agent: "sales" }, output: exampleAgent },
  revision: agentRevision,
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  handle: (_ctx, { loaded }) => agentView(loaded),
});
