import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { agentFacts, type KnownAgent } from "../../facts.ts";
import { AgentHealth, AgentName } from "../../schemas.ts";
import { healthOf } from "../health.ts";

export const readHealth = defineRead({
  id: "agents.readHealth",
  path: "/v1/agents/{agent}/health",
  summary: "Check whether an agent is ready",
  description:
    "Whether the live version can work in the environment of the key: its gate, pauses and kill switches, the connections of model and tools by their last test, the freshness of its knowledge, and its budgets. " +
    "Each check says what to do. Nothing is called: test connections with POST /v1/admin/connections/{connection}/test.",
  params: Type.Object({ agent: AgentName }),
  output: AgentHealth,
  example: {
    params: { agent: "sales" },
    output: {
      agent: "sales",
      environment: "development",
      version: 1,
      ready: true,
      state: "ready",
      checks: [{ check: "deployment", subject: null, state: "ok", detail: "Version 1 is live.", remedy: null }],
    },
  },
  permission: "agents:read",
  load: (ctx, { agent }) => ctx.facts.get(agentFacts).find(ctx.scope, agent),
  compliance: governs("agent.read", (_ctx, { loaded: { agent, labels } }: { loaded: KnownAgent }) => ({
    agent: { name: agent, labels },
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  handle: (ctx, { loaded }) => healthOf(ctx, loaded),
});
