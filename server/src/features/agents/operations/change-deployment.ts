import { type Static, Type } from "typebox";
import { storedDeciders } from "../../../kernel/actor.ts";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { Governed } from "../../../kernel/verdict.ts";
import { abortCanary, promoteCanary } from "../canary-end.ts";
import { deploymentAborted } from "../canary-events.ts";
import { changeShare, findDeployment } from "../canary-store.ts";
import { versionObject } from "../deciders.ts";
import { accountOf, accountOfShadow } from "../deployment-account.ts";
import { gateOf, refuseMissing } from "../deployment-checks.ts";
import { deploymentView, isRunning } from "../deployment-model.ts";
import { countTasks, type DeploymentRow, findLive } from "../deployment-store.ts";
import { deploymentChanged } from "../deployments-events.ts";
import { lockAgent } from "../draft-store.ts";
import { dependenciesMissing } from "../errors.ts";
import { exampleCanary } from "../example.ts";
import { agentFacts } from "../facts.ts";
import { queuedTasks } from "../ports.ts";
import { AgentName, ChangeDeploymentBody, ChangedDeployment } from "../schemas.ts";
import { stopShadow } from "../shadow.ts";
import { shadowEnded } from "../shadow-events.ts";
import { type AgentRow, findAgent } from "../store.ts";
import { findVersion, type VersionRow } from "../version-store.ts";

interface Loaded {
  readonly agent: AgentRow;
  readonly deployment: DeploymentRow;
}
type Body = Static<typeof ChangeDeploymentBody>;
type Given = { readonly loaded: Loaded; readonly body: Body };
type Ended = Pick<Static<typeof ChangedDeployment>, "live" | "tasks">;

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
    "A canary takes another share of new tasks, goes live, or ends. To promote it passes the evaluation gate and the policies as a deployment does; to abort it does not. " +
    "Tasks with a sticky key that went to the canary still do when its share grows.",
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
    const ended = await change(ctx, row, body, governed);
    ctx.touch(agentFacts);
    const now = (await findDeployment(ctx, name, row.id)) as DeploymentRow;
    const counts = isRunning(now) ? await countTasks(ctx, name, now.version_number) : null;
    return { ...deploymentView(now, ctx.scope.environment, ctx.now, counts), ...ended };
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

/** The canary as it is under the lock. */
async function runningCanary(ctx: WriteContext, loaded: DeploymentRow): Promise<DeploymentRow> {
  const row = (await findDeployment(ctx, loaded.agent, loaded.id)) as DeploymentRow;
  if (ctx.basedOnLoaded && row.revision !== loaded.revision) throw changedMeanwhile();
  if (row.state === "canary" || row.state === "shadow") return row;
  const is =
    row.mode === "whole" ? `${row.id} is no canary or shadow` : `${row.id} ended: ${row.reason ?? row.outcome}`;
  throw refuse(conflict, `${is}. Only one that runs can be changed; POST …/rollback undoes a deployment.`);
}

async function change(ctx: WriteContext, row: DeploymentRow, body: Body, governed: Governed): Promise<Ended> {
  const { agent } = row;
  const reason = body.reason ?? "";
  const frozen = (await findVersion(ctx, row.version_id)) as VersionRow;
  const before = storedDeciders(row.deciders);
  if (body.share !== undefined) {
    const { deciders } =
      row.mode === "shadow"
        ? accountOfShadow(ctx, versionObject(agent, frozen.number))
        : await accountOf(ctx, frozen, before);
    await changeShare(ctx, row, body.share, deciders);
    return { live: null, tasks: null };
  }
  if (body.action === "abort") return abort(ctx, row, body);
  const live = await findLive(ctx, agent);
  await refuseMissing(ctx, agent, row.version_number, frozen.definition);
  const version = { agent, id: row.version_id, number: row.version_number };
  const gate = JSON.stringify(await gateOf(ctx, version, live, governed));
  const account = await accountOf(ctx, frozen, before);
  return { live: await promoteCanary(ctx, row, { reason, gate, ...account }), tasks: null };
}

async function abort(ctx: WriteContext, row: DeploymentRow, { reason = "", open_tasks }: Body): Promise<Ended> {
  if (row.state === "shadow") {
    await stopShadow(ctx, row, reason);
    return { live: null, tasks: null };
  }
  await abortCanary(ctx, row, { cause: "by_hand", reason });
  const live = await findLive(ctx, row.agent);
  if (!live) return { live: null, tasks: { moved: 0, kept: 0 } };
  const to = { id: live.version_id, number: live.version_number };
  const move = open_tasks === "move";
  return { live: null, tasks: await queuedTasks().move(ctx, { agent: row.agent, from: row.version_id, to, move }) };
}

/** What a shadow cannot do, and a canary not. */
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
