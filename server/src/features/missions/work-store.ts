import { isoTime } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";
import type { Hold } from "../../kernel/hold.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { pick } from "../../kernel/pick.ts";
import { type HoldableTask, holdableFields } from "../tasks/public.ts";
import type { MissionTask, PlanStepBody, TimelineEntry } from "./schemas.ts";
import { dollars } from "./spend-store.ts";

// What the tasks of a mission did, and what happened around them.

export const byHandPrefix = "by_hand_";

export interface TaskOfMission extends HoldableTask {
  readonly step: string;
  readonly run_id: string;
  readonly title: string | null;
  readonly risk_level: string;
  readonly trust_score: number;
  readonly cost_usd: number;
  readonly reserved: number;
  readonly created_at: Date;
}

const holdable = holdableFields.map((name) => `t.${name}`).join(", ");

/** A page of a mission's tasks, newest first. */
export function listTasksOf(
  { scope, db }: ReadContext,
  mission: string,
  { step, status }: { readonly step?: string; readonly status?: readonly string[] },
  { after, take }: PageRequest,
): Promise<TaskOfMission[]> {
  return db.query<TaskOfMission>(
    `select ${holdable}, coalesce(t.run_step, '') as step, t.run_id, t.title, t.risk_level, t.trust_score, t.cost_usd,
       case when t.finished_at is null then greatest(0, coalesce((t.run_limits::json ->> 'cost_usd')::float8, 0) - (t.cost_usd - t.cost_before_usd)) else 0 end as reserved,
       t.created_at
     from workflow_runs r
     join tasks t on t.organization = r.organization and t.environment = r.environment and t.run_id = r.id
     where r.organization = $1 and r.environment = $2 and r.mission = $3
       and ($4::text is null or t.run_step = $4) and ($5::text[] is null or t.status = any($5)) and ($6::text is null or t.id < $6)
     order by t.id desc limit $7`,
    [scope.organization, scope.environment, mission, step ?? null, status ?? null, after?.id ?? null, take],
  );
}

export function taskOfMissionView(row: TaskOfMission, steps: readonly PlanStepBody[], held: Hold | null): MissionTask {
  return {
    task_id: row.id,
    ...pick(row, ["step", "run_id", "title", "agent", "skill", "status", "trust_score"]),
    by_hand: row.step.startsWith(byHandPrefix),
    depends_on: [...(steps.find(({ id }) => id === row.step)?.depends_on ?? [])],
    risk: row.risk_level,
    cost_usd: dollars(row.cost_usd),
    reserved_usd: dollars(row.reserved),
    held_by: held,
    created_at: isoTime(row.created_at),
    finished_at: isoTime(row.finished_at),
  };
}

export type TimelineRow = Omit<TimelineEntry, "at"> & { readonly ms: number };

/** Why a task failed; what people wrote as they rejected or cancelled one is read with the task. */
const reasonOf = "case when t.status in ('failed', 'blocked') then t.failure::json ->> 'detail' end";

/** A page of what happened, newest first: what people and the service did, and how tasks began and ended, with the reason of each failure. */
export function listTimeline(
  { scope, db }: ReadContext,
  mission: string,
  { after, take }: PageRequest,
): Promise<TimelineRow[]> {
  return db.query<TimelineRow>(
    `with entries as (
       select e.id, e.at, e.kind, e.text, e.actor, e.step, null::text as task_id, e.run_id
       from mission_events e where e.organization = $1 and e.environment = $2 and e.mission = $3
       union all
       select t.id || x.suffix, x.at, 'task.' || x.kind, coalesce(t.title, t.skill) || x.words, null, t.run_step, t.id, t.run_id
       from workflow_runs r
       join tasks t on t.organization = r.organization and t.environment = r.environment and t.run_id = r.id
       cross join lateral (values ('.a', t.created_at, 'created', ' was begun.'),
         ('.b', t.finished_at, t.status, ': ' || t.status || coalesce(': ' || ${reasonOf}, '.'))) x(suffix, at, kind, words)
       where r.organization = $1 and r.environment = $2 and r.mission = $3 and x.at is not null)
     select id, floor(extract(epoch from at) * 1000)::float8 as ms, kind, text, actor, step, task_id, run_id from entries
     where $4::float8 is null or (floor(extract(epoch from at) * 1000)::float8, id) < ($4, $5)
     order by ms desc, id desc limit $6`,
    [scope.organization, scope.environment, mission, after?.keys[0] ?? null, after?.id ?? null, take],
  );
}
