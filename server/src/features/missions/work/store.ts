import { isDeepStrictEqual } from "node:util";
import type { Step, WorkflowDefinition } from "@aos/workflow";
import { isoTime } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Hold } from "../../../kernel/hold.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { pick } from "../../../kernel/pick.ts";
import { plainJson, storedJson } from "../../../kernel/stored-json.ts";
import { type HoldableTask, holdableFields } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { workflowRunRows, workflowStepRows, workflowVersionRows } from "../../workflows/shared-rows.ts";
import { type Earlier, inputsStep, type PlannedWork, workflowOfPlan } from "../plans/workflow.ts";
import { dollars } from "../progress/spend-store.ts";
import type { MissionTask, PlanStepBody, TimelineEntry } from "../schemas.ts";

export const byHandPrefix = "by_hand_";

interface TaskOfMission extends HoldableTask {
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
     from ${workflowRunRows} r
     join ${taskRows} t on t.organization = r.organization and t.environment = r.environment and t.run_id = r.id
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

type TimelineRow = Omit<TimelineEntry, "at"> & { readonly ms: number };

/** Why a task failed; people's reasons for rejecting or cancelling are read with the task. */
const reasonOf = "case when t.status in ('failed', 'blocked') then t.failure::json ->> 'detail' end";

/** A page of the timeline, newest first: acts of people and the service, and how tasks began and ended, with the reason of each failure. */
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
       from ${workflowRunRows} r
       join ${taskRows} t on t.organization = r.organization and t.environment = r.environment and t.run_id = r.id
       cross join lateral (values ('.a', t.created_at, 'created', ' was begun.'),
         ('.b', t.finished_at, t.status, ': ' || t.status || coalesce(': ' || ${reasonOf}, '.'))) x(suffix, at, kind, words)
       where r.organization = $1 and r.environment = $2 and r.mission = $3 and x.at is not null)
     select id, floor(extract(epoch from at) * 1000)::float8 as ms, kind, text, actor, step, task_id, run_id from entries
     where $4::float8 is null or (floor(extract(epoch from at) * 1000)::float8, id) < ($4, $5)
     order by ms desc, id desc limit $6`,
    [scope.organization, scope.environment, mission, after?.keys[0] ?? null, after?.id ?? null, take],
  );
}

interface RunOfMission {
  readonly id: string;
  readonly input: string;
  readonly definition: WorkflowDefinition;
  readonly completed: readonly string[];
}

type Inputs = Readonly<Record<string, unknown>>;
const workJson = storedJson<{ input: Inputs; output: Record<string, unknown> }>();

/** Steps that earlier runs of a mission completed, by step, if they did the same with the same inputs and results. */
export async function readEarlier(
  ctx: QueryContext,
  mission: string,
  steps: PlannedWork["steps"],
  inputs: Inputs,
): Promise<Earlier> {
  const ids = steps.map(({ id }) => id);
  const runs = await runsOf(ctx, mission, ids);
  const { steps: now } = workflowOfPlan({ name: "", goal: "", steps });
  const found = new Map<string, string>();
  const open = new Set(ids);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const id of open) {
      const work = workOf(now, id);
      const text = JSON.stringify(work);
      const uses = ids.filter((other) => other !== id && new RegExp(`\\bsteps\\.${other}\\b`).test(text));
      if (work === undefined || uses.some((other) => !found.has(other))) continue;
      const same = runs.find(
        (run) =>
          run.completed.includes(id) &&
          isDeepStrictEqual(workOf(run.definition.steps, id), work) &&
          haveSame(text, workJson(run, "input"), inputs),
      );
      if (same) found.set(id, same.id);
      open.delete(id);
    }
  }
  return outputsOf(ctx, found);
}

/** A step's work; undefined: it only passes on the output of an earlier run. */
function workOf(steps: readonly Step[], id: string): object | undefined {
  const step = steps.find((one) => one.id === id);
  if (!step?.agent) return undefined;
  const { name, skill, input } = step.agent;
  const chosen = steps.find((one) => one.id === inputsStep(id))?.set;
  return plainJson({ name, skill, input, list: step.for_each?.in, chosen });
}

/** Whether the inputs that expressions name are unchanged. */
function haveSame(text: string, before: Inputs, now: Inputs): boolean {
  const { earlier: _earlier, ...rest } = before;
  const named = [...text.matchAll(/(?<![\w.])input\b(?:\.(\w+))?/g)].map(([, name]) => name);
  return named.every((name) =>
    name === undefined ? isDeepStrictEqual(rest, now) : isDeepStrictEqual(rest[name], now[name]),
  );
}

const runsOf = ({ scope, db }: QueryContext, mission: string, steps: readonly string[]): Promise<RunOfMission[]> =>
  db.query<RunOfMission>(
    `select r.id, r.input, v.definition, d.completed
     from ${workflowRunRows} r
     join ${workflowVersionRows} v on v.organization = r.organization and v.id = r.version_id
     cross join lateral (
       select array_agg(s.step) as completed from ${workflowStepRows} s
       where s.organization = r.organization and s.environment = r.environment and s.run_id = r.id and s.status = 'completed' and s.step = any($4::text[])) d
     where r.organization = $1 and r.environment = $2 and r.mission = $3 and d.completed is not null
     order by r.id desc`,
    [scope.organization, scope.environment, mission, steps],
  );

async function outputsOf({ scope, db }: QueryContext, found: ReadonlyMap<string, string>): Promise<Earlier> {
  if (found.size === 0) return {};
  const rows = await db.query<{ step: string; output: string | null }>(
    `select s.step, s.output from ${workflowStepRows} s join unnest($3::text[], $4::text[]) n(step, run) on s.run_id = n.run and s.step = n.step
     where s.organization = $1 and s.environment = $2`,
    [scope.organization, scope.environment, [...found.keys()], [...found.values()]],
  );
  return Object.fromEntries(rows.map(({ step, output }) => [step, workJson({ output }, "output") ?? {}]));
}
