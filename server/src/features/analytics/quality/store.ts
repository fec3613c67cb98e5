import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { deploymentRows } from "../../agents/shared-rows.ts";
import {
  datasetRows,
  datasetVersionRows,
  evaluationResultRows,
  evaluationRunRows,
} from "../../evaluations/shared-rows.ts";
import { policyRows } from "../../governance/shared-rows.ts";
import { taskFeedbackRows, taskRows } from "../../tasks/shared-rows.ts";
import type { FigureWindow } from "../figures/window.ts";
import type { Point } from "../figures/window-schemas.ts";
import { type RollupRow, rollup } from "../rollups/rollup.ts";
import { type Change, driftRules, findChanges, normalInterval } from "./drift-rules.ts";
import { type DriftMark, driftMeasures, type EvaluationPoint, type NearbyChange } from "./schemas.ts";
import { agentsIn, labelIn, mayRead, scopeOf, skillIn, tasksWithin } from "./scope.ts";

export type DriftMeasure = (typeof driftMeasures)[number];

const shown = ["accepted_rate", "judged", "success_rate", "tasks", "trust_mean"] as const;
const method =
  "Binary segmentation by a weighted CUSUM over the windows of the series, whose p-values come from 4,000 seeded series of equally many things without a change; drops get four fifths of the level. A change needs 20 things on either side and, of a rate, ten of its rarer outcome.";
const mostNearby = 10;

export async function qualityDrift(ctx: ReadContext, window: FigureWindow) {
  const { from, to, grain, timeZone, filters } = window;
  const answer = await rollup(ctx, { measures: shown, filters, from, to, grain, timeZone });
  const found = driftMeasures.map((measure) => ({ measure, changes: changesOf(measure, answer.rows) }));
  const isAny = found.some(({ changes }) => changes.length > 0);
  const happenings = isAny ? await happeningsOf(ctx, window) : [];
  const marks = found.flatMap(({ measure, changes }) =>
    changes.map((change) => markOf(measure, change, answer.rows, happenings)),
  );
  const watched = driftMeasures.map((measure) => ({ measure, ...enoughOf(measure, answer.rows) }));
  return {
    complete: answer.complete,
    asOf: answer.asOf,
    series: answer.rows.map(pointOf),
    drift: { method, level: driftRules.level, watched, marks: marks.sort((a, b) => (a.at < b.at ? -1 : 1)) },
  };
}

const pointOf = ({ from, to, complete, values }: RollupRow): Point => ({
  from: timestamp(from),
  to: timestamp(to),
  complete,
  values: Object.fromEntries(shown.map((name) => [name, values[name]?.value ?? null])),
});

const kindOf = (measure: DriftMeasure) => (measure === "trust_mean" ? ("mean" as const) : ("rate" as const));

const windowsOf = (measure: DriftMeasure, rows: readonly RollupRow[]) =>
  rows.map(({ values }) => {
    const { value, n } = values[measure];
    return value === null ? { n: 0, sum: 0 } : { n, sum: value * n };
  });

const changesOf = (measure: DriftMeasure, rows: readonly RollupRow[]): Change[] =>
  findChanges(windowsOf(measure, rows), kindOf(measure));

function enoughOf(measure: DriftMeasure, rows: readonly RollupRow[]): { n: number; enough: boolean } {
  const windows = windowsOf(measure, rows).filter(({ n }) => n > 0);
  const n = windows.reduce((all, window) => all + window.n, 0);
  const sum = windows.reduce((all, window) => all + window.sum, 0);
  const isSaid = kindOf(measure) === "mean" || Math.min(sum, n - sum) >= driftRules.leastRare;
  return { n, enough: windows.length >= driftRules.leastWindows && n >= 2 * driftRules.leastOnSide && isSaid };
}

function markOf(
  measure: DriftMeasure,
  { at, before, after, difference, p_value }: Change,
  rows: readonly RollupRow[],
  happenings: readonly HappeningRow[],
): DriftMark {
  const { from, to } = rows[at] as RollupRow;
  const nearFrom = rows[at - 1]?.from ?? from;
  const near = happenings.filter((one) => one.at.getTime() >= nearFrom && one.at.getTime() < to);
  return {
    measure,
    at: timestamp(from),
    before,
    after,
    difference,
    worse: difference.value < 0,
    p_value,
    nearby: near.slice(0, mostNearby).map(nearbyOf),
  };
}

/** What changed in the window, as far as the caller may read it. Policies concern all agents, so a narrowed key sees none. */
const happeningsOf = (ctx: ReadContext, window: FigureWindow): Promise<HappeningRow[]> =>
  listHappenings(
    ctx,
    window,
    {
      deployments: mayRead(ctx, "agents:read"),
      policies: mayRead(ctx, "governance:read") && ctx.principal.agents === null,
      datasets: mayRead(ctx, "evaluations:read"),
    },
    200,
  );

function nearbyOf({ kind, at, agent, id, name, did }: HappeningRow): NearbyChange {
  const head = { kind, at: timestamp(at.getTime()), agent };
  if (kind === "deployment") {
    const what =
      did === "rollback" ? `${agent} was rolled back to version ${name}.` : `Version ${name} of ${agent} was deployed.`;
    return { ...head, what, link: `/v1/agents/${agent}/deployments` };
  }
  if (kind === "policy")
    return { ...head, what: `The policy ${name || id} was ${did}.`, link: `/v1/governance/policies/${id}` };
  return {
    ...head,
    what: `The dataset ${name} of ${agent} got version ${did}.`,
    link: `/v1/evaluations/datasets/${id}/items`,
  };
}

const mostRuns = 50;

export async function evaluationsOf(ctx: ReadContext, window: FigureWindow): Promise<EvaluationPoint[]> {
  if (!mayRead(ctx, "evaluations:read")) return [];
  const runs = await listFinishedRuns(ctx, window, mostRuns);
  const scores = Map.groupBy(
    await listRunScores(
      ctx,
      runs.map(({ id }) => id),
    ),
    ({ run_id }) => run_id,
  );
  return runs.map((run) => ({
    run_id: run.id,
    agent: run.agent,
    skill: run.skill,
    version: run.version_number,
    dataset: run.dataset_name,
    finished_at: timestamp(run.finished_at.getTime()),
    verdict: run.verdict,
    scores: (scores.get(run.id) ?? []).map(({ scorer, n, mean, deviation }) => ({
      scorer,
      score: bounded(normalInterval(mean * n, n, deviation)),
    })),
    link: `/v1/evaluations/runs/${run.id}`,
  }));
}

/** Scores lie from 0 to 1. */
const bounded = ({ low, high, ...rest }: ReturnType<typeof normalInterval>) => ({
  ...rest,
  low: Math.max(0, low),
  high: Math.min(1, high),
});

// What quality tells besides rollups, from tables of other slices: bounded by the window and by rows.

interface RunRow {
  readonly id: string;
  readonly agent: string;
  readonly skill: string;
  readonly version_number: number;
  readonly dataset_name: string;
  readonly finished_at: Date;
  readonly verdict: "open" | "failed" | "inconclusive" | null;
}

export const listFinishedRuns = (ctx: ReadContext, window: FigureWindow, most: number): Promise<RunRow[]> =>
  ctx.db.query(
    `select id, agent, skill, version_number, dataset_name, finished_at, verdict from ${evaluationRunRows} evaluation_runs
     where organization = $1 and environment = $2 and state = 'completed' and finished_at >= $3 and finished_at < $4
       and ($5::text[] is null or agent = any($5)) and ($6::text is null or skill = $6)
     order by id desc limit $7`,
    [...scopeOf(ctx), new Date(window.from), new Date(window.to), agentsIn(ctx, window), skillIn(window), most],
  );

/** What a scorer says of a run: the mean over its items, each over its repeats, and its deviation between items. */
export interface RunScore {
  readonly run_id: string;
  readonly scorer: string;
  readonly n: number;
  readonly mean: number;
  readonly deviation: number;
}

export const listRunScores = (ctx: ReadContext, runs: readonly string[]): Promise<RunScore[]> =>
  ctx.db.query(
    `select run_id, scorer, count(*)::int as n, avg(score) as mean, coalesce(stddev_samp(score), 0) as deviation from (
       select r.run_id, r.item, s.key as scorer, avg(s.value::float8) as score
       from ${evaluationResultRows} r cross join lateral jsonb_each_text(r.scores::jsonb) s
       where r.organization = $1 and r.environment = $2 and r.run_id = any($3::text[]) group by 1, 2, 3) i
     group by 1, 2 order by 1, 2`,
    [...scopeOf(ctx), runs],
  );

export interface FeedbackCounts {
  readonly given: number;
  readonly accepted: number;
  readonly not_accepted: number;
  readonly corrected: number;
  readonly rating: number | null;
  readonly rated: number;
}

export async function countFeedback(ctx: ReadContext, window: FigureWindow): Promise<FeedbackCounts> {
  const label = labelIn(window);
  const [row] = await ctx.db.query<FeedbackCounts>(
    `with f as (
       select distinct on (f.task_id) f.task_id, f.accepted, f.correction, f.rating from ${taskFeedbackRows} f
       where f.organization = $1 and f.environment = $2 and f.task_id >= $3 and f.task_id < $4
         and ($5::text[] is null or f.agent = any($5)) and ($6::text is null or f.skill = $6)
       order by f.task_id, f.id desc)
     select count(*)::int as given, count(*) filter (where f.accepted)::int as accepted,
       count(*) filter (where not f.accepted)::int as not_accepted, count(f.correction)::int as corrected,
       avg(f.rating)::float8 as rating, count(f.rating)::int as rated
     from f
     where ($7::text is null or exists (select from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.id = f.task_id and $7 = any(t.labels)))`,
    [...scopeOf(ctx), ...tasksWithin(window), agentsIn(ctx, window), skillIn(window), label],
  );
  return row as FeedbackCounts;
}

export interface HappeningRow {
  readonly kind: "deployment" | "policy" | "dataset";
  readonly at: Date;
  readonly agent: string | null;
  readonly id: string;
  readonly name: string;
  readonly did: string;
}

export const listHappenings = (
  ctx: ReadContext,
  window: FigureWindow,
  allowed: { readonly deployments: boolean; readonly policies: boolean; readonly datasets: boolean },
  most: number,
): Promise<HappeningRow[]> =>
  ctx.db.query(
    `(select 'deployment' as kind, created_at as at, agent, id, version_number::text as name, kind as did from ${deploymentRows} deployments
      where $6 and organization = $1 and environment = $2 and created_at >= $3 and created_at < $4 and ($5::text[] is null or agent = any($5))
      order by created_at desc limit $9)
     union all
     (select 'policy', p.at, null, p.id, p.name, p.did from (
        select id, name, activated_at as at, 'activated' as did from ${policyRows} policies where organization = $1 and environment = $2
        union all select id, name, retired_at, 'retired' from ${policyRows} policies where organization = $1 and environment = $2) p
      where $7 and p.at >= $3 and p.at < $4 order by p.at desc limit $9)
     union all
     (select 'dataset', v.created_at, d.agent, d.id, d.name, v.version::text from ${datasetVersionRows} v
        join ${datasetRows} d on d.organization = $1 and d.id = v.dataset_id
      where $8 and v.organization = $1 and v.created_at >= $3 and v.created_at < $4 and ($5::text[] is null or d.agent = any($5))
      order by v.created_at desc limit $9)
     order by at desc`,
    [
      ...scopeOf(ctx),
      new Date(window.from),
      new Date(window.to),
      agentsIn(ctx, window),
      allowed.deployments,
      allowed.policies,
      allowed.datasets,
      most,
    ],
  );
