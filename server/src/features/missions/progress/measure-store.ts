import type { CallContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { isIntact, type SealedTask, sealedColumns, taskJson } from "../../tasks/public.ts";
import { taskFeedbackRows, taskRows } from "../../tasks/shared-rows.ts";
import { withExpressions } from "../../workflows/public.ts";
import { workflowRunRows } from "../../workflows/shared-rows.ts";
import type { MissionRow } from "../missions/store.ts";
import type { Measured } from "../schemas.ts";
import { measureHere, type Result } from "./measure.ts";

type ResultRow = SealedTask & {
  readonly mission: string;
  readonly accepted: boolean | null;
  readonly rating: number | null;
  readonly outcome: number | null;
};

const there = { module: new URL("./measure.ts", import.meta.url), name: "measureThere" };

/** The present value of each mission's measure. An altered result counts for nothing. */
export async function readMeasured(
  ctx: QueryContext & Pick<CallContext, "seals">,
  missions: readonly MissionRow[],
): Promise<ReadonlyMap<string, Measured>> {
  const { organization, environment } = ctx.scope;
  const ids = missions.map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await ctx.db.query<ResultRow>(
          `select m.id as mission, ${sealedColumns("t")}, f.accepted, f.rating, f.outcome
           from missions m
           join ${workflowRunRows} r on r.organization = m.organization and r.environment = m.environment and r.mission = m.id
           join ${taskRows} t on t.organization = m.organization and t.environment = m.environment and t.run_id = r.id and t.skill = m.measure ->> 'skill'
           left join lateral (
             select f.accepted, f.rating, f.outcome from ${taskFeedbackRows} f
             where f.organization = t.organization and f.environment = t.environment and f.task_id = t.id order by f.id desc limit 1) f on true
           where m.organization = $1 and m.environment = $2 and m.id = any($3::text[])
             and t.status in ('completed', 'failed', 'rejected', 'expired', 'blocked')`,
          [organization, environment, ids],
        );
  const of = Map.groupBy(
    rows.filter((row) => isIntact(ctx, row)),
    ({ mission }) => mission,
  );
  const all = missions.map(({ id, measure }) => ({ measure, results: (of.get(id) ?? []).map(resultOf) }));
  const measured = await withExpressions(ctx.scope, all, measureHere, there);
  return new Map(missions.map(({ id }, at) => [id, measured[at] as Measured]));
}

const resultOf = (row: ResultRow): Result => ({
  status: row.status,
  input: taskJson(row, "input"),
  output: taskJson(row, "output"),
  feedback: { accepted: row.accepted, rating: row.rating, outcome: row.outcome },
});

/** Past tasks of a skill, as evidence for the next one. */
export interface Evidence {
  readonly tasks: number;
  readonly succeeded: number;
  /** Those that ran: a task that was rejected before cost nothing, which says nothing of one that runs. */
  readonly ran: number;
  /** Mean cost of those that ran; 0 without any. */
  readonly meanUsd: number;
  /** Standard deviation of their cost; 0 with fewer than two. */
  readonly spreadUsd: number;
}

export const noEvidence: Evidence = { tasks: 0, succeeded: 0, ran: 0, meanUsd: 0, spreadUsd: 0 };
export const evidenceKey = (agent: string, skill: string): string => `${agent} ${skill}`;

const windowMs = 90 * 86_400_000;
const mostTasks = 1_000;

/** Of each agent's skill, its latest tasks of the last 90 days in the environment: how many succeeded, and their cost. People's verdict counts if there is one. */
export async function readEvidence(
  { scope, db, now }: QueryContext & { readonly now: number },
  skills: readonly { readonly agent: string; readonly skill: string }[],
): Promise<ReadonlyMap<string, Evidence>> {
  const rows = await db.query<Evidence & { agent: string; skill: string }>(
    `select w.agent, w.skill, count(t.id)::int as tasks,
       count(*) filter (where t.status = 'completed' and coalesce(t.outcome, 1) >= 0.5)::int as succeeded,
       count(t.started_at)::int as ran, coalesce(avg(t.cost_usd) filter (where t.started_at is not null), 0)::float8 as "meanUsd",
       coalesce(stddev_samp(t.cost_usd) filter (where t.started_at is not null), 0)::float8 as "spreadUsd"
     from unnest($3::text[], $4::text[]) as w(agent, skill)
     left join lateral (
       select t.id, t.status, t.cost_usd, t.started_at, f.outcome from ${taskRows} t
       left join lateral (
         select f.outcome from ${taskFeedbackRows} f
         where f.organization = t.organization and f.environment = t.environment and f.task_id = t.id order by f.id desc limit 1) f on true
       where t.organization = $1 and t.environment = $2 and t.agent = w.agent and t.skill = w.skill and t.id >= $5
         and t.status in ('completed', 'failed', 'rejected', 'expired', 'blocked')
       order by t.id desc limit ${mostTasks}) t on true
     group by w.agent, w.skill`,
    [
      scope.organization,
      scope.environment,
      skills.map(({ agent }) => agent),
      skills.map(({ skill }) => skill),
      lowestId("tsk", now - windowMs),
    ],
  );
  return new Map(rows.map(({ agent, skill, ...evidence }) => [evidenceKey(agent, skill), evidence]));
}
