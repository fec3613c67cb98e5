import { type Static, Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { findAgent, lockAgent, seenAgent } from "../../definitions/store.ts";
import { nothingToRollBack } from "../../errors.ts";
import { exampleDeployment } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { queuedTasks } from "../../ports.ts";
import { AgentName, RollbackBody, RolledBack } from "../../schemas.ts";
import { findVersion, type VersionRow } from "../../versions/store.ts";
import { abortCanary, endCanaryFor } from "../canaries/effects.ts";
import { findCanary } from "../canaries/store.ts";
import { deploymentAborted, deploymentChanged, shadowEnded } from "../events.ts";
import { accountOf, countTasks, type DeploymentRow, findLastGood, findLive, replaceLive } from "../store.ts";
import { deploymentView } from "../view.ts";

type Body = Static<typeof RollbackBody>;

export const rollback = defineOperation({
  id: "agents.rollback",
  method: "POST",
  path: "/v1/agents/{agent}/rollback",
  listed: true,
  summary: "Roll back to the last good version",
  description:
    "Restores the version that was live before, skipping versions that were rolled back. The gate does not decide: whatever is wrong with the " +
    "present version, the previous one is available at once. Each dispatch still passes the gate. While a canary runs, the canary is rolled back: it ends, and the version " +
    "beside it stays live. With `to`, the canary ends and that version goes live. `open_tasks` is about the tasks of each version that ends.",
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
  decides: "deployment",
  compliance: governs("agent.rollback", seenAgent),
  audit: ({ params, output }) => (output ? `deployment:${output.deployment_id}` : `agent:${params.agent}`),
  emits: [deploymentChanged, deploymentAborted, shadowEnded],
  errors: [nothingToRollBack],
  async handle(ctx, { loaded: { name: agent }, body }) {
    await lockAgent(ctx, agent);
    const live = await findLive(ctx, agent);
    const canary = await findCanary(ctx, agent);
    const { row, ended_canary, tasks } =
      live && canary && (body.to ?? live.version_number) === live.version_number
        ? await endBesideLive(ctx, live, canary, body)
        : await goBack(ctx, { agent, live, canary }, body);
    const counts = await countTasks(ctx, agent, row.version_number);
    return { ...deploymentView(row, ctx.scope.environment, ctx.now, counts), ended_canary, tasks };
  },
});

/** What is live now, and what ended. */
type Ended = { readonly row: DeploymentRow } & Pick<RolledBack, "ended_canary" | "tasks">;

/** A running canary is the latest change: it ends, and the live version takes all new tasks. */
async function endBesideLive(
  ctx: WriteContext,
  live: DeploymentRow,
  canary: DeploymentRow,
  body: Body,
): Promise<Ended> {
  await abortCanary(ctx, canary, { cause: "rollback", reason: body.reason });
  const row = { ...live, canary_share: null };
  return { row, ended_canary: canary.id, tasks: await moveTasks(ctx, [canary], live, body) };
}

interface Present {
  readonly agent: string;
  readonly live: DeploymentRow | undefined;
  readonly canary: DeploymentRow | undefined;
}

async function goBack(ctx: WriteContext, { agent, live, canary }: Present, body: Body): Promise<Ended> {
  const good = live && (await findLastGood(ctx, agent, live.version_number, body.to));
  if (!live || !good) throw refuse(nothingToRollBack, whyNot(agent, ctx.scope.environment, live, body.to));
  const id = ctx.newId("dep");
  const version = good.version_number;
  const ended_canary = await endCanaryFor(ctx, agent, { cause: "rollback", reason: body.reason, by: id });
  const account = await accountOf(ctx, (await findVersion(ctx, good.version_id)) as VersionRow);
  const row = await replaceLive(ctx, live, {
    id,
    agent,
    version,
    kind: "rollback",
    note: body.reason,
    gate: null,
    ...account,
  });
  ctx.touch(agentFacts);
  const left = [live, canary].filter((one) => one !== undefined && one.version_id !== good.version_id);
  const tasks = await moveTasks(ctx, left as DeploymentRow[], good, body);
  const [previous_version, by] = [live.version_number, ctx.principal.id];
  ctx.emit(deploymentChanged, { agent, deployment_id: id, version, previous_version, kind: "rollback", by });
  return { row, ended_canary, tasks };
}

async function moveTasks(
  ctx: WriteContext,
  left: readonly DeploymentRow[],
  { agent, version_id: id, version_number: number }: DeploymentRow,
  { open_tasks }: Body,
): Promise<Ended["tasks"]> {
  const tasks = { moved: 0, kept: 0 };
  for (const { version_id: from } of left) {
    const { moved, kept } = await ctx.port(queuedTasks).move(ctx, {
      agent,
      from,
      to: { id, number },
      move: open_tasks === "move",
    });
    tasks.moved += moved;
    tasks.kept += kept;
  }
  return tasks;
}

function whyNot(agent: string, environment: string, live: DeploymentRow | undefined, to: number | undefined): string {
  if (!live) return `${agent} is not deployed in ${environment}.`;
  if (to === live.version_number) return `Version ${to} of ${agent} is the one that is live in ${environment}.`;
  if (to !== undefined) return `Version ${to} of ${agent} has never been live in ${environment}.`;
  return `No other version of ${agent} was live in ${environment} that a rollback has not left already.`;
}
