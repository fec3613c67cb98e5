import { all, type Changes, first, insert, select, sql, update } from "../../../../db/scoped.ts";
import { type Actor, storable } from "../../../../kernel/actor.ts";
import { isoTime } from "../../../../kernel/clock.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../../kernel/context.ts";
import type { QueryContext, Reader } from "../../../../kernel/db.ts";
import { lowestId } from "../../../../kernel/ids.ts";
import type { Statements } from "../../../../kernel/machines.ts";
import type { Environment } from "../../../../kernel/principal.ts";
import { storedJson } from "../../../../kernel/stored-json.ts";
import { gateVerdictRows } from "../../../evaluations/shared-rows.ts";
import { taskRows } from "../../../tasks/shared-rows.ts";
import type { CanaryRule, DeploymentOutcome } from "../schemas.ts";
import {
  type DeploymentRow,
  deploymentJson,
  deploymentsOf,
  deploymentsWhere,
  deploymentWritten,
  type NewDeployment,
  type ShareStage,
} from "../store.ts";
import { type ArmSums, noTasks, type Stage } from "./compare.ts";
import type { CanaryEvidence, CanaryLook } from "./decide.ts";

type Here = CallContext & { readonly db: Reader };

/** While the agent's row is locked, none starts or ends. */
export const findCanary = (ctx: Here, agent: string) =>
  first<DeploymentRow>(ctx, deploymentsOf(ctx, agent).where("d.state", "=", "canary"));

export const findDeployment = (ctx: Here, agent: string, id: string) =>
  first<DeploymentRow>(ctx, deploymentsOf(ctx, agent).where("d.id", "=", id));

export const ruleOf = (row: Pick<DeploymentRow, "rule">): CanaryRule =>
  deploymentJson(row, "rule") ?? ({} as CanaryRule);
export const stagesOf = (row: Pick<DeploymentRow, "stages">): ShareStage[] => deploymentJson(row, "stages") ?? [];

const lookJson = storedJson<{ body: CanaryLook }>();

/** The caller has locked the agent's row. */
export async function startCanary(
  ctx: WriteContext,
  live: DeploymentRow,
  fresh: NewDeployment & { readonly share: number; readonly rule: CanaryRule },
): Promise<DeploymentRow> {
  const { id, agent, version, kind, note, gate, share, rule, actor, deciders } = fresh;
  const row = {
    id,
    agent,
    version_number: version,
    kind,
    note,
    gate,
    share,
    author: ctx.principal.id,
    actor,
    deciders,
  };
  const stages = JSON.stringify([{ share, since: lowestId("tsk", ctx.now) } satisfies ShareStage]);
  const canary = { state: "canary" as const, mode: "canary" as const, rule: JSON.stringify(rule), stages };
  const made = { ...row, ...canary, stable: live.id, created_at: new Date(ctx.now) };
  return deploymentWritten(ctx, id, insert(ctx, "deployments", made).returningAll().compile());
}

const changed = { revision: sql<number>`revision + 1` };
const changeOf = (
  ctx: WriteContext,
  { id }: DeploymentRow,
  changes: Changes<"deployments">,
): Promise<DeploymentRow> => {
  const change = update(ctx, "deployments").set(changes).where("id", "=", id);
  return deploymentWritten(ctx, id, change.returningAll().compile());
};

/** Tasks from now on are drawn by the new share. `deciders` are stored deciders. */
export async function changeShare(
  ctx: WriteContext,
  canary: DeploymentRow,
  share: number,
  deciders: string | null,
): Promise<DeploymentRow> {
  const stages = JSON.stringify([...stagesOf(canary), { share, since: lowestId("tsk", ctx.now) } satisfies ShareStage]);
  return changeOf(ctx, canary, { share, stages, deciders, ...changed });
}

/** Its rule does not promote it until somebody takes it over. */
export async function holdCanary(ctx: WriteContext, id: string, stopped_reason: string): Promise<void> {
  const stopped = { stopped_reason, stopped_at: new Date(ctx.now), ...changed };
  await all(ctx, update(ctx, "deployments").set(stopped).where("id", "=", id));
}

/** Its rule goes on in the new owner's name. */
export async function takeCanary(ctx: WriteContext, id: string, actor: Actor): Promise<void> {
  const taken = { actor: storable(actor), stopped_reason: null, stopped_at: null, ...changed };
  await all(ctx, update(ctx, "deployments").set(taken).where("id", "=", id));
}

export const findRunningCanary = (ctx: Here, id: string) =>
  first<DeploymentRow>(ctx, deploymentsWhere(ctx).where("d.id", "=", id).where("d.state", "=", "canary"));

/** Ends a canary or a shadow. */
export async function endBeside(
  ctx: WriteContext,
  row: DeploymentRow,
  end: { readonly outcome: DeploymentOutcome; readonly reason: string; readonly by?: string },
): Promise<DeploymentRow> {
  const ended = { ended_at: new Date(ctx.now), ended_by: ctx.principal.id, ended_for: end.by ?? null };
  const { outcome, reason } = end;
  return changeOf(ctx, row, { state: "ended", outcome, reason, ...ended, ...changed });
}

const most = 100;

export interface RunningCanary {
  readonly deployment: string;
  readonly agent: string;
  readonly version: number;
  readonly share: number | null;
  readonly since: string;
}

/** Newest first, at most 100. `agents`: only theirs; null: all. */
export async function listRunningCanaries(
  ctx: ReadContext,
  agents: readonly string[] | null,
): Promise<RunningCanary[]> {
  const canaries = select(ctx, "deployments", "d")
    .select(["d.id", "d.agent", "d.version_number", "d.share", "d.created_at"])
    .where("d.state", "=", "canary")
    .$if(agents !== null, (query) => query.where("d.agent", "in", agents ?? []))
    .orderBy("d.id", "desc")
    .limit(most);
  const rows = await all(ctx, canaries);
  return rows.map(({ id, agent, version_number, share, created_at }) => ({
    deployment: id,
    agent,
    version: version_number,
    share,
    since: isoTime(created_at),
  }));
}

export interface LookRow extends CanaryLook {
  readonly at: Date;
}

export async function listLooks({ db, scope }: QueryContext, deployment: string): Promise<LookRow[]> {
  const rows = await db.query<{ body: string; created_at: Date }>(
    "select body, created_at from deployment_looks where organization = $1 and environment = $2 and deployment = $3 order by look",
    [scope.organization, scope.environment, deployment],
  );
  return rows.map((row) => ({ ...lookJson(row, "body"), at: row.created_at }));
}

export async function storeLook(ctx: WriteContext, deployment: string, look: CanaryLook): Promise<void> {
  const row = { deployment, look: look.look, judged: look.judged, body: JSON.stringify(look) };
  await all(ctx, insert(ctx, "deployment_looks", { ...row, created_at: new Date(ctx.now) }));
}

interface SumsRow extends ArmSums {
  /** From 1: the share that its tasks were drawn by. */
  stage: number;
  canary: boolean;
}

/** Looks are timed by judged tasks, or by failed ones where those are more. */
const clock = (of: string): string =>
  `greatest(count(*) filter (where ${of}source <> 'run'), count(*) filter (where ${of}source = 'run'))::int`;

const clustersOf = (rows: string): string => `
  select stage, canary, sum(tasks)::int as tasks, count(*)::int as clusters, sum(w) as weight, sum(x) as sum, sum(w * w) as ww, sum(w * x) as wx, sum(x * x) as xx
  from (select width_bucket(id, $4::text[] collate "C") as stage, version_id = $5 as canary, count(*) as tasks, sum(w)::float8 as w, sum(x)::float8 as x
        from (${rows}) r group by 1, 2, coalesce(sticky, id)) c
  group by 1, 2`;

// Failed runs count in the other comparison.
const judgedSums = clustersOf(`
  select id, version_id, sticky, weight as w, weight * outcome as x from trust_judgements
  where organization = $1 and environment = $2 and experiment = $3 and source <> 'run' and weight > 0`);
const endedSums = clustersOf(`
  select id, version_id, sticky, 1 as w, (status = 'completed')::int as x from ${taskRows} tasks
  where organization = $1 and environment = $2 and experiment = $3 and status in ('completed', 'failed', 'blocked')`);

export async function readEvidence(
  { db, scope }: QueryContext,
  row: Pick<DeploymentRow, "id" | "version_id" | "stages">,
): Promise<CanaryEvidence> {
  const stages = stagesOf(row);
  const values = [scope.organization, scope.environment, row.id, stages.map(({ since }) => since), row.version_id];
  const quality = stagesOfRows(stages.length, await db.query<SumsRow>(judgedSums, values));
  const failures = stagesOfRows(stages.length, await db.query<SumsRow>(endedSums, values));
  const [count] = await db.query<{ judged: number }>(
    `select ${clock("")} as judged from trust_judgements where organization = $1 and environment = $2 and experiment = $3 and version_id = $4`,
    [scope.organization, scope.environment, row.id, row.version_id],
  );
  return { quality, failures, judged: count?.judged ?? 0 };
}

/** Tasks drawn in the moment before a share took effect belong to the first. */
function stagesOfRows(count: number, rows: readonly SumsRow[]): Stage[] {
  const arm = (stage: number, canary: boolean): ArmSums => {
    const found = rows.find((row) => Math.max(1, row.stage) === stage && row.canary === canary);
    if (!found) return noTasks;
    const { tasks, clusters, weight, sum, ww, wx, xx } = found;
    return { tasks, clusters, weight, sum, ww, wx, xx };
  };
  return Array.from({ length: Math.max(1, count) }, (_, i) => ({
    canary: arm(i + 1, true),
    stable: arm(i + 1, false),
  }));
}

/** A running canary, as `nextStep` needs it. */
export interface CanaryProgress {
  readonly organization: string;
  readonly environment: Environment;
  readonly id: string;
  readonly agent: string;
  readonly version_id: string;
  readonly rule: CanaryRule;
  readonly created_at: Date;
  /** Judged tasks of the canary, or failed ones where those are more. */
  readonly judged: number;
  /** At the last look; null without one. */
  readonly last: number | null;
  readonly verdict: CanaryLook["verdict"] | null;
  readonly paused: boolean;
  /** Nobody answers for promoting it: whoever started it may not deploy any longer. */
  readonly stopped: boolean;
  readonly gate: "open" | "failed" | "inconclusive" | null;
  readonly gate_expires: Date | null;
}

const progress = `
  select d.organization, d.environment, d.id, d.agent, v.id as version_id, d.rule::json as rule, d.created_at, l.judged as last, l.body::json ->> 'verdict' as verdict,
    p.agent is not null as paused, d.stopped_reason is not null as stopped, g.verdict as gate, g.expires_at as gate_expires,
    (select ${clock("j.")} from trust_judgements j where j.organization = d.organization and j.environment = d.environment and j.experiment = d.id
       and j.version_id = v.id) as judged
  from deployments d
  join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
  left join lateral (select judged, body from deployment_looks k
    where k.organization = d.organization and k.environment = d.environment and k.deployment = d.id order by look desc limit 1) l on true
  left join agent_pauses p on p.organization = d.organization and p.environment = d.environment and p.agent = d.agent
  left join ${gateVerdictRows} g on g.organization = d.organization and g.environment = d.environment and g.version_id = v.id
  where d.state = 'canary'`;

export const listCanaryProgress = (db: Statements): Promise<CanaryProgress[]> =>
  db.query<CanaryProgress>(`${progress} order by d.id limit 500`);

export async function findCanaryProgress({ db, scope }: QueryContext, id: string): Promise<CanaryProgress | undefined> {
  const of = "and d.organization = $1 and d.environment = $2 and d.id = $3";
  return (await db.query<CanaryProgress>(`${progress} ${of}`, [scope.organization, scope.environment, id]))[0];
}

/** Means and quantiles are of the newest ended tasks. */
export interface ArmFigures {
  readonly tasks: number;
  readonly open: number;
  readonly completed: number;
  readonly failed: number;
  readonly judged: number;
  readonly trust_mean: number | null;
  readonly cost_per_task: number | null;
  readonly duration_p50: number | null;
  readonly duration_p90: number | null;
}

/** Ended tasks of an arm that means and quantiles are taken of. */
const mostMeasured = 5_000;

/** By the id of their version. */
export async function readArms({ db, scope }: QueryContext, experiment: string): Promise<Map<string, ArmFigures>> {
  const rows = await db.query<ArmFigures & { version_id: string }>(
    `with counted as (
       select version_id, count(*)::int as tasks, count(*) filter (where status in ('queued', 'awaiting_approval', 'running', 'input_required'))::int as open,
         count(*) filter (where status = 'completed')::int as completed, count(*) filter (where status in ('failed', 'blocked'))::int as failed
       from ${taskRows} tasks where organization = $1 and environment = $2 and experiment = $3 group by version_id)
     select c.*, m.*, (select count(*)::int from trust_judgements j where j.organization = $1 and j.environment = $2 and j.experiment = $3
         and j.version_id = c.version_id and j.source <> 'run') as judged
     from counted c, lateral (
       select avg(trust_score) as trust_mean, avg(cost_usd) as cost_per_task,
         percentile_cont(0.5) within group (order by seconds) as duration_p50, percentile_cont(0.9) within group (order by seconds) as duration_p90
       from (select trust_score, cost_usd, extract(epoch from finished_at - created_at)::float8 as seconds from ${taskRows} tasks
             where organization = $1 and environment = $2 and experiment = $3 and version_id = c.version_id and status in ('completed', 'failed', 'blocked')
             order by id desc limit $4) t) m`,
    [scope.organization, scope.environment, experiment, mostMeasured],
  );
  return new Map(rows.map(({ version_id, ...figures }) => [version_id, figures]));
}
