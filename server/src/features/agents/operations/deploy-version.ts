import { Type } from "typebox";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../kernel/operation.ts";
import { gateFailed } from "../../../kernel/problems.ts";
import type { Governed } from "../../../kernel/verdict.ts";
import type { AgentDefinition } from "../definition.ts";
import { deploymentView, runnableFaults } from "../deployment-model.ts";
import { countTasks, type DeploymentRow, findLive, findVersionIds, replaceLive } from "../deployment-store.ts";
import { deploymentChanged } from "../deployments-events.ts";
import { lockAgent } from "../draft-store.ts";
import { agentArchived, alreadyLive, dependenciesMissing, notRunnable } from "../errors.ts";
import { exampleDeployment } from "../example.ts";
import { agentFacts } from "../facts.ts";
import { comparisons } from "../ports.ts";
import { missingNames } from "../references.ts";
import { AgentName, Deployment, DeployVersionBody } from "../schemas.ts";
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
    "Tasks that were given the version before end on it.",
  params: Type.Object({ agent: AgentName }),
  body: DeployVersionBody,
  output: Deployment,
  example: {
    params: { agent: "sales" },
    body: { version: 1, note: exampleDeployment.note },
    output: exampleDeployment,
  },
  permission: "agents:deploy",
  load: loadVersions,
  validate: (_ctx, { loaded, body }) => unknownVersion(loaded, body.version),
  gate: (_ctx, { loaded, body }) => ({ agent: loaded.agent.name, versionId: versionId(loaded, body.version) }),
  compliance: governs(
    "agent.deploy",
    (_ctx: CallContext, { loaded, body }: { loaded: Loaded; body: { version: number } }) => ({
      agent: { name: loaded.agent.name, labels: loaded.agent.labels },
      version: { number: body.version, id: versionId(loaded, body.version) },
    }),
  ),
  audit: ({ params, output }) => (output ? `deployment:${output.deployment_id}` : `agent:${params.agent}`),
  emits: [deploymentChanged],
  errors: [agentArchived, alreadyLive, notRunnable, dependenciesMissing],
  async handle(ctx, { loaded, body: { version, note = "" }, governed }) {
    const agent = loaded.agent.name;
    const { archived_at } = await lockAgent(ctx, agent);
    if (archived_at !== null)
      throw refuse(agentArchived, `${agent} is archived; no version of it is deployed any more.`);
    const { definition } = (await findVersion(ctx, versionId(loaded, version))) as VersionRow;
    const faults = runnableFaults(definition);
    if (faults.length > 0)
      throw refuse(notRunnable, `Version ${version} of ${agent}: ${faults[0]?.detail}.`, { errors: faults });
    const live = await findLive(ctx, agent);
    if (live?.version_number === version)
      throw refuse(alreadyLive, `Version ${version} of ${agent} is live in ${ctx.scope.environment}.`);
    await refuseMissing(ctx, agent, version, definition);
    const gate = JSON.stringify(
      await gateOf(ctx, { agent, id: versionId(loaded, version), number: version }, live, governed),
    );
    const id = ctx.newId("dep");
    await replaceLive(ctx, live, { id, agent, version, kind: "deploy", note, gate });
    ctx.touch(agentFacts);
    const previous_version = live?.version_number ?? null;
    ctx.emit(deploymentChanged, {
      agent,
      deployment_id: id,
      version,
      previous_version,
      kind: "deploy",
      by: ctx.principal.id,
    });
    const row = (await findLive(ctx, agent)) as DeploymentRow;
    return deploymentView(row, ctx.scope.environment, ctx.now, await countTasks(ctx, agent, version));
  },
});

/** The environment has to have the knowledge bases and connections that the version names. */
async function refuseMissing(
  ctx: WriteContext,
  agent: string,
  version: number,
  definition: AgentDefinition,
): Promise<void> {
  const missing = await missingNames(ctx, definition);
  if (missing.length === 0) return;
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
  throw refuse(
    dependenciesMissing,
    `Version ${version} of ${agent}: ${missing[0]?.pointer}: ${missing[0]?.detail}${more}.`,
    {
      errors: missing,
    },
  );
}

/**
 * What the gate said of the version that is to go live. The stage asks whether it may act; whether it is no worse than what it replaces is known only of the
 * version that it was compared with, so that an open verdict against any other counts as missing evidence. The call holds the agent.
 */
async function gateOf(
  ctx: WriteContext,
  version: { readonly agent: string; readonly id: string; readonly number: number },
  live: DeploymentRow | undefined,
  { stages }: Governed,
): Promise<{ verdict: string | undefined; reasons: readonly string[] | undefined }> {
  const said = stages.find(({ stage }) => stage === "evaluation_gate");
  const gap =
    live && (await comparisons().findMissing(ctx, version, { id: live.version_id, number: live.version_number }));
  if (!gap) return { verdict: said?.verdict, reasons: said?.reasons };
  if (gap.consequence === "refuse" || gap.consequence === "approve") {
    throw refuse(
      gateFailed,
      `Version ${version.number} of ${version.agent} may not go live in ${ctx.scope.environment}: ${gap.reason}.`,
      {
        stage: "evaluation_gate",
        members: { gate: { state: "missing", reasons: [gap.reason], version: said?.policy_version ?? null } },
      },
    );
  }
  ctx.note(`gate:missing, ${gap.reason}`);
  return { verdict: said?.verdict, reasons: [`missing: ${version.agent} ${version.id}`, gap.reason] };
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
