import { Type } from "typebox";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { agentSeen } from "../../tasks/public.ts";
import { agentFiguresOf } from "../agent-figures.ts";
import { exampleAgentFigures } from "../figures-example.ts";
import { AgentFigures, agentFigureQuery } from "../figures-schemas.ts";
import { windowOf } from "../window.ts";

export const readAgentFigures = defineRead({
  id: "analytics.readAgentFigures",
  path: "/v1/analytics/agents/{agent}",
  listed: true,
  summary: "Read the figures of an agent",
  description:
    "Outcome, cost of an accepted task, how often people edited or overrode, trust and how well it is calibrated, by version and in the environment of the key; and where it fails: skills, and the codes of failures.",
  params: Type.Object({ agent: Type.String({ description: "The agent." }) }),
  query: agentFigureQuery,
  output: AgentFigures,
  example: { params: { agent: "sales" }, output: exampleAgentFigures },
  permission: "analytics:read",
  load: (ctx, { agent }) => findKnownAgent(ctx, agent),
  compliance: governs("analytics.read", (ctx, { params }: { params: { agent: string } }) => ({
    agent: agentSeen(ctx, params.agent),
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  handle: (ctx, { params, query }) => agentFiguresOf(ctx, params.agent, windowOf(ctx, query)),
});
