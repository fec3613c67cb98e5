import { isoTime } from "../../kernel/clock.ts";
import { nextTimes } from "../../kernel/schedule.ts";
import { storedJson } from "../../kernel/stored-json.ts";
import type { StoredRow } from "../../resources/rows.ts";
import type { AgentSchedule, AgentScheduleDefinition } from "./schemas.ts";

export type ScheduleJson = { readonly definition: AgentScheduleDefinition };
export type ScheduleSpent = { readonly spent_month_usd: number };
/** A schedule as it is stored. */
export type StoredSchedule = StoredRow<"agent_schedules", ScheduleJson>;
export type ScheduleRow = StoredSchedule & ScheduleSpent;

/** Times that are shown ahead. */
const shownTimes = 5;

const scheduleJson = storedJson<{ last_error: { code: string; detail: string } }>();

export function scheduleView(row: ScheduleRow, now: number): AgentSchedule {
  const { definition: said } = row;
  const failure = scheduleJson(row, "last_error");
  return {
    schedule_id: row.id,
    agent: row.agent,
    task: said.task,
    input: said.input ?? {},
    schedule: said.schedule,
    time_zone: said.time_zone ?? "UTC",
    overlap: said.overlap ?? "skip",
    missed: said.missed ?? "run_once",
    labels: said.labels ?? [],
    priority: said.priority ?? 0,
    require_approval: said.require_approval ?? false,
    note: said.note ?? "",
    budget: said.budget ?? null,
    spent_month_usd: Number(row.spent_month_usd.toFixed(6)),
    runs_as: row.principal,
    paused: pauseOf(row),
    stopped_reason: row.stopped_reason,
    next_at: isoTime(row.next_at),
    next_times: nextTimes(said, now, shownTimes).map((time) => time.toISOString()),
    waiting_since: isoTime(row.due_at),
    last_at: isoTime(row.last_at),
    last_task_id: row.last_task,
    last_skipped: row.skipped_at && {
      at: row.skipped_at.toISOString(),
      reason: row.skip_reason as "overlap" | "missed",
    },
    last_error: failure && row.last_error_at && { ...failure, at: row.last_error_at.toISOString() },
    revision: row.revision,
    created_by: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function pauseOf({ paused_at, paused_by, pause_reason }: ScheduleRow): AgentSchedule["paused"] {
  if (paused_at === null || paused_by === null) return null;
  return { since: paused_at.toISOString(), by: paused_by, reason: pause_reason };
}
