import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { findAgent, lockAgent, seenAgent, setPause } from "../../definitions/store.ts";
import { agentView } from "../../definitions/view.ts";
import { exampleAgent } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { Agent, AgentName, PauseAgentBody } from "../../schemas.ts";
import { agentPaused } from "../events.ts";

export const pauseAgent = defineOperation({
  id: "agents.pauseAgent",
  method: "POST",
  path: "/v1/agents/{agent}/pause",
  listed: true,
  summary: "Pause an agent",
  description:
    "The agent takes no new work in the environment of the key, everywhere within a second. Open tasks finish, or are cancelled. Pausing again changes mode and reason.",
  params: Type.Object({ agent: AgentName }),
  body: PauseAgentBody,
  output: Agent,
  example: {
    params: { agent: "sales" },
    body: { reason: "its playbook is being corrected", mode: "drain" },
    output: {
      ...exampleAgent,
      paused: {
        mode: "drain",
        reason: "its playbook is being corrected",
        since: "2026-11-20T10:00:00.000Z",
        by: exampleAgent.owner,
      },
    },
  },
  permission: "agents:pause",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("stops work"),
  decides: exempt("stops an agent; its reason is for people"),
  compliance: governs("agent.pause", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  emits: [agentPaused],
  async handle(ctx, { loaded: { name: agent }, body: { reason, mode = "drain" } }) {
    await lockAgent(ctx, agent);
    const row = await setPause(ctx, agent, mode, reason);
    ctx.touch(agentFacts);
    ctx.emit(agentPaused, { agent, mode, reason, by: ctx.principal.id });
    return agentView(row);
  },
});
