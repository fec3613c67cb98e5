import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { AgentName, Dependents } from "../../schemas.ts";
import { findDependents } from "../dependents.ts";
import { findAgent, seenAgent } from "../store.ts";

const example = {
  kind: "workflow" as const,
  id: "lead_intake",
  name: "lead_intake",
  state: "live",
  active: true,
  path: "/v1/workflows/lead_intake",
};

export const readDependents = defineRead({
  id: "agents.readDependents",
  path: "/v1/agents/{agent}/dependents",
  summary: "List what depends on an agent",
  description:
    "Workflows whose live version or draft names the agent, open missions, chat channels, monitors and schedules, in the environment of the key. What the key may not read is omitted; `unseen` names the kinds.",
  params: Type.Object({ agent: AgentName }),
  output: Dependents,
  example: {
    params: { agent: "sales" },
    output: { agent: "sales", dependents: [example], active: 1, unseen: [], more: false },
  },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  handle: (ctx, { loaded }) => findDependents(ctx, loaded.name, ctx.principal),
});
