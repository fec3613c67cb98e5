import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { endPause, findAgent, lockAgent, seenAgent } from "../../definitions/store.ts";
import { agentView } from "../../definitions/view.ts";
import { notPaused } from "../../errors.ts";
import { exampleAgent } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { queuedTasks } from "../../ports.ts";
import { Agent, AgentName, ResumeAgentBody } from "../../schemas.ts";
import { agentResumed } from "../events.ts";

export const resumeAgent = defineOperation({
  id: "agents.resumeAgent",
  method: "POST",
  path: "/v1/agents/{agent}/resume",
  listed: true,
  summary: "Let a paused agent work again",
  description:
    "The agent takes work again in the environment of the key, and what was queued is started. A kill switch that applies to it stays in force.",
  params: Type.Object({ agent: AgentName }),
  body: ResumeAgentBody,
  output: Agent,
  example: { params: { agent: "sales" }, body: { note: "the playbook names budgets now" }, output: exampleAgent },
  permission: "agents:pause",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("each start asks the gate itself"),
  decides: exempt("lets the agent go on as it was; its note is for people"),
  compliance: governs("agent.resume", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  emits: [agentResumed],
  errors: [notPaused],
  async handle(ctx, { loaded: { name: agent }, body: { note = "" } }) {
    await lockAgent(ctx, agent);
    const row = await endPause(ctx, agent);
    if (!row) throw refuse(notPaused, `${agent} is not paused in ${ctx.scope.environment}.`);
    ctx.touch(agentFacts);
    await ctx.port(queuedTasks).wake(ctx, { agent, everywhere: false });
    ctx.emit(agentResumed, { agent, note, by: ctx.principal.id });
    return agentView(row);
  },
});
