import { type Static, Type } from "typebox";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../kernel/operation.ts";
import { endCanaryFor } from "../canary-end.ts";
import { deploymentAborted, deploymentStarted } from "../canary-events.ts";
import { ruleDefaults, startShare } from "../canary-schemas.ts";
import { findCanary, findDeployment, startCanary } from "../canary-store.ts";
import { versionObject } from "../deciders.ts";
import { accountOf, accountOfShadow } from "../deployment-account.ts";
import { gateOf, refuseMissing } from "../deployment-checks.ts";
import { deploymentView, runnableFaults } from "../deployment-model.ts";
import {
  countTasks,
  type DeploymentRow,
  findLive,
  findVersionIds,
  type NewDeployment,
  replaceLive,
} from "../deployment-store.ts";
import { deploymentWarnings } from "../deployment-warnings.ts";
import { deploymentChanged } from "../deployments-events.ts";
import { lockAgent } from "../draft-store.ts";
import { agentArchived, alreadyLive, canaryRunning, dependenciesMissing, nothingLive, notRunnable } from "../errors.ts";
import { exampleDeployment } from "../example.ts";
import { agentFacts } from "../facts.ts";
import { AgentName, Deployed, DeployVersionBody, shadowDefaults } from "../schemas.ts";
import { findShadowHere, startShadow } from "../shadow.ts";
import { shadowEnded } from "../shadow-events.ts";
import { type AgentRow, findAgent } from "../store.ts";
import { findVersion, type VersionRow } from "../version-store.ts";

interface Loaded {
  readonly agent: AgentRow;
  /** Ids of the agent's versions by number. */
  readonly versions: Readonly<Record<string, string>>;
}

export const deployVersion = defineOperation({
  id: "agents.deployVersion",
  method: "POST",
  path: "/v1/agents/{agent}/deployments",
  status: 201,
  listed: true,
  summary: "Deploy a version",
  description:
    "Puts a version in the place of the one that is live in the environment of the key. Its evaluation gate decides: where the gate is closed, or has no " +
    "evidence outside development, the answer is 409 with the reasons. An open verdict that was not drawn against the version that is live now is no evidence. A version that names a knowledge base or a connection which the environment does not have is refused (409). " +
    "Tasks that were given the version before end on it. With `mode: canary` the version takes a share of new tasks beside the live one until it is promoted or aborted, by its rule or by hand. With `mode: shadow` it carries out a share of the live version's tasks too, once they have ended, with its writes withheld: `GET /v1/evaluations/shadows/{deployment}` shows what it would have done.",
  params: Type.Object({ agent: AgentName }),
  body: DeployVersionBody,
  output: Deployed,
  example: {
    params: { agent: "sales" },
    body: { version: 1, note: exampleDeployment.note },
    output: { ...exampleDeployment, ended_canary: null, warnings: [] },
  },
  permission: "agents:deploy",
  load: loadVersions,
  validate: (_ctx, { loaded, body }) => [...unknownVersion(loaded, body.version), ...modeFaults(body)],
  gate: (_ctx, { loaded, body }) => ({ agent: loaded.agent.name, versionId: versionId(loaded, body.version) }),
  decides: "deployment",
  compliance: governs(
    "agent.deploy",
    (_ctx: CallContext, { loaded, body }: { loaded: Loaded; body: { version: number } }) => ({
      agent: { name: loaded.agent.name, labels: loaded.agent.labels },
      version: { number: body.version, id: versionId(loaded, body.version) },
    }),
  ),
  audit: ({ params, output }) => (output ? `deployment:${output.deployment_id}` : `agent:${params.agent}`),
  emits: [deploymentChanged, deploymentStarted, deploymentAborted, shadowEnded],
  errors: [agentArchived, alreadyLive, notRunnable, dependenciesMissing, canaryRunning, nothingLive],
  revision: ({ revision }) => revision,
  async handle(ctx, { loaded, body, governed }) {
    const { version, note = "" } = body;
    const agent = loaded.agent.name;
    const { archived_at } = await lockAgent(ctx, agent);
    if (archived_at !== null)
      throw refuse(agentArchived, `${agent} is archived; no version of it is deployed any more.`);
    const frozen = (await findVersion(ctx, versionId(loaded, version))) as VersionRow;
    const { definition } = frozen;
    const faults = runnableFaults(definition);
    if (faults.length > 0)
      throw refuse(notRunnable, `Version ${version} of ${agent}: ${faults[0]?.detail}.`, { errors: faults });
    const live = await findLive(ctx, agent);
    if (live?.version_number === version)
      throw refuse(alreadyLive, `Version ${version} of ${agent} is live in ${ctx.scope.environment}.`);
    await refuseMissing(ctx, agent, version, definition);
    const gate = JSON.stringify(
      // A shadow changes nothing, so it need not have been compared with the live version before.
      await gateOf(
        ctx,
        { agent, id: versionId(loaded, version), number: version },
        body.mode === "shadow" ? undefined : live,
        governed,
      ),
    );
    const { mode = "whole" } = body;
    const account =
      mode === "shadow" ? accountOfShadow(ctx, versionObject(agent, version)) : await accountOf(ctx, frozen);
    const fresh = { id: ctx.newId("dep"), agent, version, kind: "deploy" as const, note, gate, ...account };
    const ended_canary = await (mode === "whole"
      ? replace(ctx, live, fresh)
      : begin(ctx, live, fresh, { ...body, mode }));
    ctx.touch(agentFacts);
    const row = (await findDeployment(ctx, agent, fresh.id)) as DeploymentRow;
    const counts = await countTasks(ctx, agent, version);
    const warnings = mode === "shadow" ? [] : await deploymentWarnings(ctx, frozen, account);
    return { ...deploymentView(row, ctx.scope.environment, ctx.now, counts), ended_canary, warnings };
  },
});

/** The version takes the place of the live one, which ends a canary beside that. */
async function replace(
  ctx: WriteContext,
  live: DeploymentRow | undefined,
  fresh: NewDeployment,
): Promise<string | null> {
  const { id, agent, version } = fresh;
  const reason = `Version ${version} was deployed.`;
  const ended = await endCanaryFor(ctx, agent, { cause: "deployment", reason, by: id });
  await replaceLive(ctx, live, fresh);
  const previous_version = live?.version_number ?? null;
  const by = ctx.principal.id;
  ctx.emit(deploymentChanged, { agent, deployment_id: id, version, previous_version, kind: "deploy", by });
  return ended;
}

/** The version takes a share of the work beside the live one, or carries it out too. */
async function begin(
  ctx: WriteContext,
  live: DeploymentRow | undefined,
  fresh: NewDeployment,
  body: Static<typeof DeployVersionBody> & { readonly mode: "canary" | "shadow" },
): Promise<null> {
  const { id: deployment_id, agent, version } = fresh;
  if (!live)
    throw refuse(
      nothingLive,
      `${agent} is not deployed in ${ctx.scope.environment}; there is nothing to compare with.`,
    );
  const { mode } = body;
  const running = await (mode === "canary" ? findCanary : findShadowHere)(ctx, agent);
  if (running)
    throw refuse(canaryRunning, `Version ${running.version_number} of ${agent} runs as ${mode} ${running.id}.`);
  const share = body.share ?? (mode === "canary" ? startShare : 100);
  await (mode === "canary"
    ? startCanary(ctx, live, { ...fresh, share, rule: { ...ruleDefaults, ...body.rule } })
    : startShadow(ctx, live, { ...fresh, share, budget: { ...shadowDefaults, ...body.budget } }));
  const live_version = live.version_number;
  const by = ctx.principal.id;
  ctx.emit(deploymentStarted, { agent, deployment_id, mode, version, live_version, share, by });
  return null;
}

/** Members that belong to other modes, and a canary that would leave the live version no task. */
function modeFaults({ mode = "whole", share, rule, budget }: Static<typeof DeployVersionBody>): Fault[] {
  const fault = (name: string, code: string, detail: string): Fault => ({ pointer: `/${name}`, code, detail });
  const wrong: Fault[] = [];
  if (share !== undefined && mode === "whole")
    wrong.push(fault("share", "not_for_whole", 'is of a canary or a shadow; add "mode" or leave it out'));
  if (rule !== undefined && mode !== "canary")
    wrong.push(fault("rule", `not_for_${mode}`, 'is of a canary; add "mode": "canary" or leave it out'));
  if (budget !== undefined && mode !== "shadow")
    wrong.push(fault("budget", `not_for_${mode}`, 'is of a shadow; add "mode": "shadow" or leave it out'));
  if (share === 100 && mode === "canary")
    wrong.push(fault("share", "too_large", "is at most 99: the live version keeps a share to be compared with"));
  return wrong;
}

async function loadVersions(ctx: ReadContext, { agent: name }: { agent: string }): Promise<Loaded | undefined> {
  const agent = await findAgent(ctx, name);
  return agent && { agent, versions: await findVersionIds(ctx, name) };
}

const versionId = ({ versions }: Loaded, version: number): string => versions[version] as string;

function unknownVersion({ agent, versions }: Loaded, version: number): Fault[] {
  if (versions[version] !== undefined) return [];
  const newest = Math.max(0, ...Object.keys(versions).map(Number));
  const there = newest === 0 ? "it has none yet; freeze its draft first" : `its newest is ${newest}`;
  return [
    { pointer: "/version", code: "unknown_version", detail: `${agent.name} has no version ${version}: ${there}` },
  ];
}
