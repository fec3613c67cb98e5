import { type Static, Type } from "typebox";
import type { CallContext, ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { type AgentRow, findAgent, lockAgent } from "../../definitions/store.ts";
import {
  agentArchived,
  alreadyLive,
  canaryRunning,
  dependenciesMissing,
  nothingLive,
  notRunnable,
} from "../../errors.ts";
import { exampleDeployment } from "../../example.ts";
import { agentFacts } from "../../facts.ts";
import { AgentName, Deployed, DeployVersionBody, shadowDefaults } from "../../schemas.ts";
import { versionObject } from "../../versions/deciders.ts";
import { findVersion, type VersionRow } from "../../versions/store.ts";
import { endCanaryFor } from "../canaries/effects.ts";
import { findCanary, startCanary } from "../canaries/store.ts";
import { deploymentAborted, deploymentChanged, deploymentStarted, shadowEnded } from "../events.ts";
import { deploymentWarnings, gateOf, refuseMissing } from "../rules.ts";
import { ruleDefaults, startShare } from "../schemas.ts";
import { findShadowHere, startShadow } from "../shadows.ts";
import {
  accountOf,
  accountOfShadow,
  countTasks,
  type DeploymentRow,
  findLive,
  findVersionIds,
  type NewDeployment,
  replaceLive,
} from "../store.ts";
import { deploymentView, runnableFaults } from "../view.ts";

interface Loaded {
  readonly agent: AgentRow;
  /** By version number. */
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
    "Replaces the live version in the environment of the key. The evaluation gate decides: if the gate is closed, or has no " +
    "evidence outside development, the answer is 409 with the reasons. An open verdict against another version than the live one is no evidence. A version that names a knowledge base or a connection that the environment lacks is refused (409). " +
    "Tasks of the previous version finish on it. With `mode: canary` the version takes a share of new tasks beside the live one until it is promoted or aborted, by its rule or by hand. With `mode: shadow` it repeats a share of the live version's tasks once they have ended, with its writes withheld: `GET /v1/evaluations/shadows/{deployment}` shows what it would have done.",
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
    if (archived_at !== null) throw refuse(agentArchived, `${agent} is archived and cannot be deployed.`);
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
    const { row, ended_canary } = await (mode === "whole"
      ? replace(ctx, live, fresh)
      : begin(ctx, live, fresh, { ...body, mode }));
    ctx.touch(agentFacts);
    const counts = await countTasks(ctx, agent, version);
    const warnings = mode === "shadow" ? [] : await deploymentWarnings(ctx, frozen, account);
    return { ...deploymentView(row, ctx.scope.environment, ctx.now, counts), ended_canary, warnings };
  },
});

/** The new deployment, and the canary that ended with the version that it replaces. */
interface Begun {
  readonly row: DeploymentRow;
  readonly ended_canary: string | null;
}

/** Ends a canary beside the replaced version. */
async function replace(ctx: WriteContext, live: DeploymentRow | undefined, fresh: NewDeployment): Promise<Begun> {
  const { id, agent, version } = fresh;
  const reason = `Version ${version} was deployed.`;
  const ended_canary = await endCanaryFor(ctx, agent, { cause: "deployment", reason, by: id });
  const row = await replaceLive(ctx, live, fresh);
  const previous_version = live?.version_number ?? null;
  const by = ctx.principal.id;
  ctx.emit(deploymentChanged, { agent, deployment_id: id, version, previous_version, kind: "deploy", by });
  return { row, ended_canary };
}

/** Starts a canary or a shadow. */
async function begin(
  ctx: WriteContext,
  live: DeploymentRow | undefined,
  fresh: NewDeployment,
  body: Static<typeof DeployVersionBody> & { readonly mode: "canary" | "shadow" },
): Promise<Begun> {
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
  const row = await (mode === "canary"
    ? startCanary(ctx, live, { ...fresh, share, rule: { ...ruleDefaults, ...body.rule } })
    : startShadow(ctx, live, { ...fresh, share, budget: { ...shadowDefaults, ...body.budget } }));
  const live_version = live.version_number;
  const by = ctx.principal.id;
  ctx.emit(deploymentStarted, { agent, deployment_id, mode, version, live_version, share, by });
  return { row, ended_canary: null };
}

/** Members of other modes, and a canary that would leave the live version no task. */
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
