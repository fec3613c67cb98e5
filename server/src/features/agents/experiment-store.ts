import { all, insert } from "../../db/scoped.ts";
import { type ArmSums, type CanaryEvidence, type CanaryLook, noTasks, type Stage } from "../../kernel/canary/index.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { CanaryRule } from "./canary-schemas.ts";
import { stagesOf } from "./canary-store.ts";
import type { DeploymentRow } from "./deployment-store.ts";

type Here = CallContext & { readonly db: Pick<Reader, "query"> };

/** A look as it was taken. */
export interface LookRow extends CanaryLook {
  readonly at: Date;
}

/** The looks at a canary, in their order. */
export async function listLooks({ db, scope }: Here, deployment: string): Promise<LookRow[]> {
  const rows = await db.query<{ body: string; created_at: Date }>(
    "select body, created_at from deployment_looks where organization = $1 and environment = $2 and deployment = $3 order by look",
    [scope.organization, scope.environment, deployment],
  );
  return rows.map(({ body, created_at }) => ({ ...(JSON.parse(body) as CanaryLook), at: created_at }));
}

export async function storeLook(ctx: WriteContext, deployment: string, look: CanaryLook): Promise<void> {
  const row = { deployment, look: look.look, judged: look.judged, body: JSON.stringify(look) };
  await all(ctx, insert(ctx, "deployment_looks", { ...row, created_at: new Date(ctx.now) }));
}

interface SumsRow extends ArmSums {
  /** From 1: the share by which its tasks were drawn. */
  stage: number;
  canary: boolean;
}

/** What looks are timed by: tasks that people judged, or those that failed where they are more. */
const clock = (of: string): string =>
  `greatest(count(*) filter (where ${of}source <> 'run'), count(*) filter (where ${of}source = 'run'))::int`;

const clustersOf = (rows: string): string => `
  select stage, canary, sum(tasks)::int as tasks, count(*)::int as clusters, sum(w) as weight, sum(x) as sum, sum(w * w) as ww, sum(w * x) as wx, sum(x * x) as xx
  from (select width_bucket(id, $4::text[] collate "C") as stage, version_id = $5 as canary, count(*) as tasks, sum(w)::float8 as w, sum(x)::float8 as x
        from (${rows}) r group by 1, 2, coalesce(sticky, id)) c
  group by 1, 2`;

// What people judged; a failed run is told by the other comparison.
const judgedSums = clustersOf(`
  select id, version_id, sticky, weight as w, weight * outcome as x from trust_judgements
  where organization = $1 and environment = $2 and experiment = $3 and source <> 'run' and weight > 0`);
const endedSums = clustersOf(`
  select id, version_id, sticky, 1 as w, (status = 'completed')::int as x from tasks
  where organization = $1 and environment = $2 and experiment = $3 and status in ('completed', 'failed', 'blocked')`);

/** What is known of both arms now. */
export async function readEvidence(
  { db, scope }: Here,
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

/** Tasks that were drawn in the moment before a share held belong to the first. */
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

/** What decides whether something is to be done about a canary that runs. */
export interface CanaryStanding {
  readonly organization: string;
  readonly environment: Environment;
  readonly id: string;
  readonly agent: string;
  readonly version_id: string;
  readonly rule: CanaryRule;
  readonly created_at: Date;
  /** Tasks of the canary that people judged, or that failed where those are more. */
  readonly judged: number;
  /** Judged tasks at the last look, and what was found then; null: there was none. */
  readonly last: number | null;
  readonly verdict: CanaryLook["verdict"] | null;
  readonly paused: boolean;
  /** Whether nobody answers for promoting it, since whoever started it may not deploy any longer. */
  readonly stopped: boolean;
  readonly gate: "open" | "failed" | "inconclusive" | null;
  readonly gate_expires: Date | null;
}

const standing = `
  select d.organization, d.environment, d.id, d.agent, v.id as version_id, d.rule::json as rule, d.created_at, l.judged as last, l.body::json ->> 'verdict' as verdict,
    p.agent is not null as paused, d.stopped_reason is not null as stopped, g.verdict as gate, g.expires_at as gate_expires,
    (select ${clock("j.")} from trust_judgements j where j.organization = d.organization and j.environment = d.environment and j.experiment = d.id
       and j.version_id = v.id) as judged
  from deployments d
  join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
  left join lateral (select judged, body from deployment_looks k
    where k.organization = d.organization and k.environment = d.environment and k.deployment = d.id order by look desc limit 1) l on true
  left join agent_pauses p on p.organization = d.organization and p.environment = d.environment and p.agent = d.agent
  left join gate_verdicts g on g.organization = d.organization and g.environment = d.environment and g.version_id = v.id
  where d.state = 'canary'`;

/** Canaries that run, in every scope. */
export const listStandings = (db: Statements): Promise<CanaryStanding[]> =>
  db.query<CanaryStanding>(`${standing} order by d.id limit 500`);

export async function findStanding({ db, scope }: Here, id: string): Promise<CanaryStanding | undefined> {
  const of = "and d.organization = $1 and d.environment = $2 and d.id = $3";
  return (await db.query<CanaryStanding>(`${standing} ${of}`, [scope.organization, scope.environment, id]))[0];
}

/** What tasks of an arm came to. Means and quantiles are of its newest ended tasks. */
export interface ArmFigures {
  readonly tasks: number;
  readonly open: number;
  readonly completed: number;
  readonly failed: number;
  /** Judged by people. */
  readonly judged: number;
  readonly trust_mean: number | null;
  readonly cost_per_task: number | null;
  /** Seconds from dispatch to end. */
  readonly duration_p50: number | null;
  readonly duration_p90: number | null;
}

/** Ended tasks of an arm that means and quantiles are of, at most. */
export const mostMeasured = 5_000;

/** Figures of both arms by their version's id. */
export async function readArms({ db, scope }: Here, experiment: string): Promise<Map<string, ArmFigures>> {
  const rows = await db.query<ArmFigures & { version_id: string }>(
    `with counted as (
       select version_id, count(*)::int as tasks, count(*) filter (where status in ('queued', 'awaiting_approval', 'running', 'input_required'))::int as open,
         count(*) filter (where status = 'completed')::int as completed, count(*) filter (where status in ('failed', 'blocked'))::int as failed
       from tasks where organization = $1 and environment = $2 and experiment = $3 group by version_id)
     select c.*, m.*, (select count(*)::int from trust_judgements j where j.organization = $1 and j.environment = $2 and j.experiment = $3
         and j.version_id = c.version_id and j.source <> 'run') as judged
     from counted c, lateral (
       select avg(trust_score) as trust_mean, avg(cost_usd) as cost_per_task,
         percentile_cont(0.5) within group (order by seconds) as duration_p50, percentile_cont(0.9) within group (order by seconds) as duration_p90
       from (select trust_score, cost_usd, extract(epoch from finished_at - created_at)::float8 as seconds from tasks
             where organization = $1 and environment = $2 and experiment = $3 and version_id = c.version_id and status in ('completed', 'failed', 'blocked')
             order by id desc limit $4) t) m`,
    [scope.organization, scope.environment, experiment, mostMeasured],
  );
  return new Map(rows.map(({ version_id, ...figures }) => [version_id, figures]));
}
