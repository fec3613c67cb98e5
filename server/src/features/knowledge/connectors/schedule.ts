import { createHash } from "node:crypto";
import { Cron } from "croner";
import type { Fault } from "../../../kernel/errors.ts";
import { isTimeZone } from "../../../kernel/time-zone.ts";
import type { ConnectorSchedule } from "./schemas.ts";

const minute = 60_000;
const leastApart = 5 * minute;
const mostJitter = 2 * minute;
const FAILURES_BEFORE_BACK_OFF = 3;
const longestBackOff = 24 * 60 * minute;

const cronOf = ({ cron, time_zone = "UTC" }: ConnectorSchedule): Cron =>
  new Cron(cron, { timezone: time_zone, mode: "5-part", paused: true });

export function scheduleFaults(schedule: ConnectorSchedule | null | undefined, now: number): Fault[] {
  if (!schedule) return [];
  const fault = (pointer: string, code: string, detail: string): Fault[] => [{ pointer, code, detail }];
  if (!isTimeZone(schedule.time_zone ?? "UTC"))
    return fault("/schedule/time_zone", "unknown_time_zone", "must be a time zone such as `Europe/Zurich` or `UTC`");
  let runs: Date[];
  try {
    runs = cronOf(schedule).nextRuns(50, new Date(now));
  } catch {
    return fault(
      "/schedule/cron",
      "not_cron",
      "must have five fields within their ranges: minute, hour, day, month, weekday; such as `0 3 * * *`",
    );
  }
  if (runs.length === 0) return fault("/schedule/cron", "never", "names a time that never comes; check day and month");
  const close = runs.some((run, at) => at > 0 && run.getTime() - (runs[at - 1] as Date).getTime() < leastApart);
  return close ? fault("/schedule/cron", "too_often", "must leave at least five minutes between two runs") : [];
}

/** With a fixed delay of the connector's own. Null: never. */
export function nextRun(schedule: ConnectorSchedule | null, connector: string, now: number): Date | null {
  if (schedule === null) return null;
  const jitter = createHash("sha256").update(connector).digest().readUInt32BE(0) % mostJitter;
  const next = cronOf(schedule).nextRun(new Date(now - jitter));
  return next && new Date(next.getTime() + jitter);
}

/** Null: as planned. */
export function backOffUntil(failures: number, now: number): Date | null {
  if (failures < FAILURES_BEFORE_BACK_OFF) return null;
  const pause = 60 * minute * 2 ** (failures - FAILURES_BEFORE_BACK_OFF);
  return new Date(now + Math.min(pause, longestBackOff));
}
