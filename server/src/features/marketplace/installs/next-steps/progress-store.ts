import { all, first, select, sql } from "../../../../db/scoped.ts";
import { type GateState, gateState } from "../../../../kernel/gate-table.ts";
import { lowestId } from "../../../../kernel/ids.ts";
import { storedJson } from "../../../../kernel/stored-json.ts";
import { agentVersionRows, deploymentRows, trainingJobRows } from "../../../agents/shared-rows.ts";
import type { GateDefinition } from "../../../evaluations/public.ts";
import { evaluationRunRows, gateRows, gateVerdictRows } from "../../../evaluations/shared-rows.ts";
import { policyRows } from "../../../governance/shared-rows.ts";
import { taskRows } from "../../../tasks/shared-rows.ts";
import { workflowReleaseRows } from "../../../workflows/shared-rows.ts";
import type { Looking } from "../plan/names.ts";

/** A version as it stands in the environment. */
export interface VersionProgress {
  readonly id: string;
  readonly number: number;
  readonly based_on: number | null;
  /** The training that made it. */
  readonly learnt: { readonly skill: string; readonly datasets: readonly string[] } | null;
  readonly gate: GateState;
  readonly reasons: readonly string[];
  readonly live: boolean;
}

interface VersionText {
  readonly id: string;
  readonly number: number;
  readonly based_on: number | null;
  readonly verdict: "open" | "failed" | "inconclusive" | null;
  readonly reasons: string[] | null;
  readonly expires_at: Date | null;
  readonly live: boolean;
  readonly skill: string | null;
  readonly request: string | null;
}

/** By number. */
export async function readVersions(ctx: Looking, agent: string): Promise<VersionProgress[]> {
  const { organization, environment } = ctx.scope;
  const rows = await ctx.db.query<VersionText>(
    `select v.id, v.number, v.based_on, g.verdict, g.reasons, g.expires_at, d.id is not null as live, j.skill, j.request
     from ${agentVersionRows} v
     left join ${gateVerdictRows} g on g.organization = v.organization and g.environment = $2 and g.version_id = v.id
     left join ${deploymentRows} d
       on d.organization = v.organization and d.environment = $2 and d.agent = v.agent and d.version_number = v.number and d.state = 'live'
     left join lateral (
       select j.skill, j.request from ${trainingJobRows} j
       where j.organization = v.organization and j.version_id = v.id and j.state = 'completed' order by j.created_at limit 1) j on true
     where v.organization = $1 and v.agent = $3 order by v.number`,
    [organization, environment, agent],
  );
  return rows.map(({ id, number, based_on, verdict, reasons, expires_at, live, skill, request }) => ({
    id,
    number,
    based_on,
    live,
    reasons: reasons ?? [],
    gate: gateState(verdict && expires_at ? { verdict, expiresAt: expires_at.getTime() } : undefined, ctx.now),
    learnt: skill === null ? null : { skill, datasets: datasetsIn(request) },
  }));
}

const trainedJson = storedJson<{ request: { datasets?: { id: string; version: number }[] } }>();

/** With their versions, `ds_…:1`. */
function datasetsIn(request: string | null): string[] {
  const { datasets = [] } = trainedJson({ request }, "request") ?? {};
  return datasets.map(({ id, version }) => `${id}:${version}`);
}

/** Datasets with finished runs in the environment, as `ds_…:3`: the dataset and the version of the agent. */
export async function readMeasured(ctx: Looking, agent: string): Promise<ReadonlySet<string>> {
  const runs = select(ctx, evaluationRunRows, "r")
    .distinct()
    .select(["r.dataset_id", "r.version_number"])
    .where("r.agent", "=", agent)
    .where("r.state", "=", "completed")
    .where("r.waits_for", "is", null);
  return new Set((await all(ctx, runs)).map((run) => `${run.dataset_id}:${run.version_number}`));
}

export interface PolicyProgress {
  readonly id: string;
  readonly version: number;
  readonly state: "draft" | "shadow" | "active" | "retired";
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly effective_from: Date | null;
  readonly effective_until: Date | null;
}

/** The newest version of each. */
export async function readPolicies(ctx: Looking, ids: readonly string[]): Promise<ReadonlyMap<string, PolicyProgress>> {
  const newest = select(ctx, policyRows, "p")
    .distinctOn("p.id")
    .select(["p.id", "p.version", "p.state", "p.name", "p.definition", "p.effective_from", "p.effective_until"])
    .where("p.id", "=", sql<string>`any(${ids}::text[])`)
    .orderBy("p.id")
    .orderBy("p.version", "desc")
    .$castTo<PolicyProgress>();
  return new Map((await all(ctx, newest)).map((policy) => [policy.id, policy]));
}

export interface GateProgress {
  readonly definition: GateDefinition;
  readonly revision: number;
}

/** The agent's gate in the environment. */
export const readGate = (ctx: Looking, agent: string): Promise<GateProgress | undefined> =>
  first(
    ctx,
    select(ctx, gateRows, "g")
      .select(["g.definition", "g.revision"])
      .where("g.agent", "=", agent)
      .$castTo<GateProgress>(),
  );

/** Those of these inputs, as JSON, that the agent got a task with since `since`. */
export async function readTried(
  ctx: Looking,
  agent: string,
  inputs: readonly string[],
  since: Date,
): Promise<ReadonlySet<string>> {
  const tasks = select(ctx, taskRows, "t")
    .distinct()
    .select("t.input")
    .where("t.agent", "=", agent)
    .where("t.id", ">=", lowestId("tsk", since.getTime()))
    .where("t.input", "=", sql<string>`any(${inputs}::text[])`);
  return new Set((await all(ctx, tasks)).map(({ input }) => input));
}

/** Live in the environment. */
export async function isReleased(ctx: Looking, workflow: string): Promise<boolean> {
  const releases = select(ctx, workflowReleaseRows, "r").select("r.id").where("r.workflow", "=", workflow);
  return (await first(ctx, releases.where("r.ended_at", "is", null).limit(1))) !== undefined;
}

/** Whether a gate in the environment judges by one of these scorers. */
export async function isJudgedBy(ctx: Looking, scorers: readonly string[]): Promise<boolean> {
  const used = sql<boolean>`exists (select from jsonb_array_elements(g.definition->'scorers') s where s->>'scorer' = any(${scorers}::text[]))`;
  return (await first(ctx, select(ctx, gateRows, "g").select("g.agent").where(used).limit(1))) !== undefined;
}
