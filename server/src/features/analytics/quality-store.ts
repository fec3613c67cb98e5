import type { ReadContext } from "../../kernel/context.ts";
import { agentsIn, labelIn, scopeOf, skillIn, tasksWithin } from "./quality-scope.ts";
import type { FigureWindow } from "./window.ts";

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

/** Runs over datasets that finished in the window, newest first. */
export const listFinishedRuns = (ctx: ReadContext, window: FigureWindow, most: number): Promise<RunRow[]> =>
  ctx.db.query(
    `select id, agent, skill, version_number, dataset_name, finished_at, verdict from evaluation_runs
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
       from evaluation_results r cross join lateral jsonb_each_text(r.scores::jsonb) s
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

/** Feedback to tasks that were dispatched in the window: the latest word on each. */
export async function countFeedback(ctx: ReadContext, window: FigureWindow): Promise<FeedbackCounts> {
  const label = labelIn(window);
  const [row] = await ctx.db.query<FeedbackCounts>(
    `with f as (
       select distinct on (f.task_id) f.task_id, f.accepted, f.correction, f.rating from task_feedback f
       where f.organization = $1 and f.environment = $2 and f.task_id >= $3 and f.task_id < $4
         and ($5::text[] is null or f.agent = any($5)) and ($6::text is null or f.skill = $6)
       order by f.task_id, f.id desc)
     select count(*)::int as given, count(*) filter (where f.accepted)::int as accepted,
       count(*) filter (where not f.accepted)::int as not_accepted, count(f.correction)::int as corrected,
       avg(f.rating)::float8 as rating, count(f.rating)::int as rated
     from f
     where ($7::text is null or exists (select from tasks t where t.organization = $1 and t.environment = $2 and t.id = f.task_id and $7 = any(t.labels)))`,
    [...scopeOf(ctx), ...tasksWithin(window), agentsIn(ctx, window), skillIn(window), label],
  );
  return row as FeedbackCounts;
}

/** Something that may have to do with a change. */
export interface HappeningRow {
  readonly kind: "deployment" | "policy" | "dataset";
  readonly at: Date;
  readonly agent: string | null;
  readonly id: string;
  readonly name: string;
  readonly did: string;
}

/** Deployments, changes of policies and of datasets in a stretch of time, newest first. */
export const listHappenings = (
  ctx: ReadContext,
  window: FigureWindow,
  allowed: { readonly deployments: boolean; readonly policies: boolean; readonly datasets: boolean },
  most: number,
): Promise<HappeningRow[]> =>
  ctx.db.query(
    `(select 'deployment' as kind, created_at as at, agent, id, version_number::text as name, kind as did from deployments
      where $6 and organization = $1 and environment = $2 and created_at >= $3 and created_at < $4 and ($5::text[] is null or agent = any($5))
      order by created_at desc limit $9)
     union all
     (select 'policy', p.at, null, p.id, p.name, p.did from (
        select id, name, activated_at as at, 'activated' as did from policies where organization = $1 and environment = $2
        union all select id, name, retired_at, 'retired' from policies where organization = $1 and environment = $2) p
      where $7 and p.at >= $3 and p.at < $4 order by p.at desc limit $9)
     union all
     (select 'dataset', v.created_at, d.agent, d.id, d.name, v.version::text from dataset_versions v
        join datasets d on d.organization = $1 and d.id = v.dataset_id
      where $8 and v.organization = $1 and v.created_at >= $3 and v.created_at < $4 and ($5::text[] is null or d.agent = any($5))
      order by v.created_at desc limit $9)
     order by at desc`,
    [
      ...scopeOf(ctx),
      ...[new Date(window.from), new Date(window.to), agentsIn(ctx, window)],
      ...[allowed.deployments, allowed.policies, allowed.datasets, most],
    ],
  );
