import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { endCanaryFor } from "../canary-end.ts";
import { deploymentAborted } from "../canary-events.ts";
import { deploymentView } from "../deployment-model.ts";
import { countTasks, type DeploymentRow, findLastGood, findLive, replaceLive } from "../deployment-store.ts";
import { deploymentChanged } from "../deployments-events.ts";
import { lockAgent } from "../draft-store.ts";
import { nothingToRollBack } from "../errors.ts";
import { exampleDeployment } from "../example.ts";
import { agentFacts } from "../facts.ts";
import { queuedTasks } from "../ports.ts";
import { AgentName, RollbackBody, RolledBack } from "../schemas.ts";
import { shadowEnded } from "../shadow-events.ts";
import { findAgent, seenAgent } from "../store.ts";

export const rollback = defineOperation({
  id: "agents.rollback",
  method: "POST",
  path: "/v1/agents/{agent}/rollback",
  listed: true,
  summary: "Roll back to the last good version",
  description:
    "One call back to the version that was live before, passing over those that earlier rollbacks left. The gate is not asked: whatever goes wrong with the " +
    "present version, what worked before is at hand. Each dispatch still passes it. A canary ends with it: what it was compared with is gone.",
  params: Type.Object({ agent: AgentName }),
  body: RollbackBody,
  output: RolledBack,
  example: {
    params: { agent: "sales" },
    body: { reason: "qualifies leads that have no budget", open_tasks: "move" },
    output: { ...exampleDeployment, kind: "rollback", gate: null, ended_canary: null, tasks: { moved: 2, kept: 1 } },
  },
  permission: "agents:deploy",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("goes back to what was live; the gate is asked again at each dispatch"),
  compliance: governs("agent.rollback", seenAgent),
  audit: ({ params, output }) => (output ? `deployment:${output.deployment_id}` : `agent:${params.agent}`),
  emits: [deploymentChanged, deploymentAborted, shadowEnded],
  errors: [nothingToRollBack],
  async handle(ctx, { loaded: { name: agent }, body }) {
    await lockAgent(ctx, agent);
    const live = await findLive(ctx, agent);
    const good = live && (await findLastGood(ctx, agent, live.version_number, body.to));
    if (!live || !good) throw refuse(nothingToRollBack, whyNot(agent, ctx.scope.environment, live, body.to));
    const id = ctx.newId("dep");
    const version = good.version_number;
    const ended_canary = await endCanaryFor(ctx, agent, { cause: "rollback", reason: body.reason, by: id });
    await replaceLive(ctx, live, { id, agent, version, kind: "rollback", note: body.reason, gate: null });
    ctx.touch(agentFacts);
    const to = { id: good.version_id, number: version };
    const tasks = await queuedTasks().move(ctx, { agent, from: live.version_id, to, move: body.open_tasks === "move" });
    const previous_version = live.version_number;
    ctx.emit(deploymentChanged, {
      agent,
      deployment_id: id,
      version,
      previous_version,
      kind: "rollback",
      by: ctx.principal.id,
    });
    const row = (await findLive(ctx, agent)) as DeploymentRow;
    return {
      ...deploymentView(row, ctx.scope.environment, ctx.now, await countTasks(ctx, agent, version)),
      ended_canary,
      tasks,
    };
  },
});

function whyNot(agent: string, environment: string, live: DeploymentRow | undefined, to: number | undefined): string {
  if (!live) return `${agent} is not deployed in ${environment}.`;
  if (to === live.version_number) return `Version ${to} of ${agent} is the one that is live in ${environment}.`;
  if (to !== undefined) return `Version ${to} of ${agent} has never been live in ${environment}.`;
  return `No other version of ${agent} was live in ${environment} that a rollback has not left already.`;
}
