import { type Static, Type } from "typebox";
import { storedDeciders } from "../../../../kernel/actor.ts";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import type { Governed } from "../../../../kernel/verdict.ts";
import { type AgentRow, findAgent, lockAgent } from "../../definitions/store.ts";
import { dependenciesMissing } from "../../errors.ts";
import { exampleCanary } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { queuedTasks } from "../../ports.ts";
import { AgentName, ChangeDeploymentBody, ChangedDeployment } from "../../schemas.ts";
import { versionObject } from "../../versions/deciders.ts";
import { findVersion, type VersionRow } from "../../versions/store.ts";
import { abortCanary, promoteCanary } from "../canaries/effects.ts";
import { changeShare, findDeployment } from "../canaries/store.ts";
import { deploymentAborted, deploymentChanged, shadowEnded } from "../events.ts";
import { gateOf, refuseMissing } from "../rules.ts";
import { stopShadow } from "../shadows.ts";
import { accountOf, accountOfShadow, countTasks, type DeploymentRow, findLive } from "../store.ts";
import { deploymentView, isRunning } from "../view.ts";

interface Loaded {
  readonly agent: AgentRow;
  readonly deployment: DeploymentRow;
}
type Body = Static<typeof ChangeDeploymentBody>;
type Given = { readonly loaded: Loaded; readonly body: Body };
/** The deployment after the change, the one that it made live, and what became of open tasks. */
type Changed = { readonly now: DeploymentRow } & Partial<Pick<Static<typeof ChangedDeployment>, "live" | "tasks">>;

const seen = (_ctx: CallContext, { loaded: { agent, deployment } }: Given) => ({
  agent: { name: agent.name, labels: agent.labels },
  version: { number: deployment.version_number, id: deployment.version_id },
});

export const changeDeployment = defineOperation({
  id: "agents.changeDeployment",
  method: "PATCH",
  path: "/v1/agents/{agent}/deployments/{deployment}",
  listed: true,
  summary: "Change the share of a canary or a shadow, promote or abort it",
  description:
    "Changes a canary's share of new tasks, promotes or aborts it. Promoting passes the evaluation gate and the policies like a deployment; aborting does not. " +
    "Sticky keys that went to the canary still do when its share grows.",
  params: Type.Object({ agent: AgentName, deployment: Type.String({ description: "`dep_…`" }) }),
  body: ChangeDeploymentBody,
  output: ChangedDeployment,
  example: {
    params: { agent: "sales", deployment: exampleCanary.deployment_id },
    body: { share: 25 },
    output: { ...exampleCanary, share: 25, revision: 2, live: null, tasks: null },
  },
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ deployment }: Loaded) => deployment.revision,
  permission: "agents:deploy",
  load: loadDeployment,
  validate: (_ctx, { loaded, body }) => [...bodyFaults(body), ...modeFaults(loaded.deployment, body)],
  gate: (_ctx, { loaded: { agent, deployment }, body }) =>
    body.action === "promote" ? { agent: agent.name, versionId: deployment.version_id } : [],
  decides: "deployment",
  compliance: governs("agent.canary", seen, {
    proposes: (ctx, given: Given) =>
      given.body.action === "promote" ? { action: "agent.deploy", facts: seen(ctx, given) } : null,
  }),
  audit: ({ params }) => `deployment:${params.deployment}`,
  emits: [deploymentChanged, deploymentAborted, shadowEnded],
  errors: [conflict, dependenciesMissing],
  async handle(ctx, { loaded, body, governed }) {
    const { name } = loaded.agent;
    await lockAgent(ctx, name);
    const row = await runningCanary(ctx, loaded.deployment);
    const { now, live = null, tasks = null } = await change(ctx, row, body, governed);
    ctx.touch(agentFacts);
    const counts = isRunning(now) ? await countTasks(ctx, name, now.version_number) : null;
    return { ...deploymentView(now, ctx.scope.environment, ctx.now, counts), live, tasks };
  },
});

async function loadDeployment(
  ctx: ReadContext,
  { agent: name, deployment: id }: { agent: string; deployment: string },
): Promise<Loaded | undefined> {
  const agent = await findAgent(ctx, name);
  const deployment = agent && (await findDeployment(ctx, name, id));
  return agent && deployment && { agent, deployment };
}

/** Read again under the lock. */
async function runningCanary(ctx: WriteContext, loaded: DeploymentRow): Promise<DeploymentRow> {
  const row = (await findDeployment(ctx, loaded.agent, loaded.id)) as DeploymentRow;
  if (ctx.basedOnLoaded && row.revision !== loaded.revision) throw changedMeanwhile();
  if (row.state === "canary" || row.state === "shadow") return row;
  const is =
    row.mode === "whole" ? `${row.id} is no canary or shadow` : `${row.id} ended: ${row.reason ?? row.outcome}`;
  throw refuse(conflict, `${is}. Only one that runs can be changed; POST …/rollback undoes a deployment.`);
}

async function change(ctx: WriteContext, row: DeploymentRow, body: Body, governed: Governed): Promise<Changed> {
  const { agent } = row;
  const reason = body.reason ?? "";
  const frozen = (await findVersion(ctx, row.version_id)) as VersionRow;
  const before = storedDeciders(row.deciders);
  if (body.share !== undefined) {
    const { deciders } =
      row.mode === "shadow"
        ? accountOfShadow(ctx, versionObject(agent, frozen.number))
        : await accountOf(ctx, frozen, before);
    return { now: await changeShare(ctx, row, body.share, deciders) };
  }
  if (body.action === "abort") return abort(ctx, row, body);
  const live = await findLive(ctx, agent);
  await refuseMissing(ctx, agent, row.version_number, frozen.definition);
  const version = { agent, id: row.version_id, number: row.version_number };
  const gate = JSON.stringify(await gateOf(ctx, version, live, governed));
  const account = await accountOf(ctx, frozen, before);
  const promoted = await promoteCanary(ctx, row, { reason, gate, ...account });
  return { now: promoted.ended, live: promoted.live };
}

async function abort(ctx: WriteContext, row: DeploymentRow, { reason = "", open_tasks }: Body): Promise<Changed> {
  if (row.state === "shadow") return { now: await stopShadow(ctx, row, reason) };
  const now = await abortCanary(ctx, row, { cause: "by_hand", reason });
  const live = await findLive(ctx, row.agent);
  if (!live) return { now, tasks: { moved: 0, kept: 0 } };
  const to = { id: live.version_id, number: live.version_number };
  const move = open_tasks === "move";
  return { now, tasks: await ctx.port(queuedTasks).move(ctx, { agent: row.agent, from: row.version_id, to, move }) };
}

/** Members that only one of the modes has. */
function modeFaults({ mode }: DeploymentRow, { share, action, open_tasks }: Body): Fault[] {
  const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });
  if (mode === "canary" && share === 100)
    return [fault("/share", "too_large", "is at most 99: the live version keeps a share to be compared with")];
  if (mode !== "shadow") return [];
  if (action === "promote")
    return [fault("/action", "not_for_shadow", "a shadow is only aborted; deploy its version as a canary or whole")];
  return open_tasks === undefined ? [] : [fault("/open_tasks", "not_for_shadow", "a shadow has no tasks of its own")];
}

function bodyFaults({ share, action, reason, open_tasks }: Body): Fault[] {
  const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });
  if ((share === undefined) === (action === undefined))
    return [fault("", "one_change", "give either `share` or `action`")];
  if (share !== undefined && reason !== undefined)
    return [fault("/reason", "not_for_share", "belongs to `action`; leave it out with `share`")];
  if (action !== undefined && reason === undefined)
    return [fault("/reason", "required", `say why the canary is to be ${action === "abort" ? "aborted" : "promoted"}`)];
  if (action !== "abort" && open_tasks !== undefined)
    return [fault("/open_tasks", "not_for_this", 'belongs to "action": "abort"; leave it out')];
  return [];
}
