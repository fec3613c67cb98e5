import { Cron } from "croner";
import type { Fault } from "./errors.ts";
import { isTimeZone } from "./time-zone.ts";

/** A schedule as a trigger's definition says it. */
export interface Schedule {
  readonly schedule: string;
  readonly time_zone?: string;
  readonly missed?: "skip" | "run_once" | "run_all";
}

/** What is made up for at most. */
export const mostMissed = 100;
/** A time that is looked at so late was missed (milliseconds). */
const grace = 60_000;

const cronOf = ({ schedule, time_zone = "UTC" }: Schedule): Cron =>
  new Cron(schedule, { timezone: time_zone, mode: "5-part", paused: true });

/** What is wrong with a schedule. */
export function scheduleFaults(schedule: Schedule, pointer: string, now: number): Fault[] {
  const fault = (member: string, code: string, detail: string): Fault[] => [
    { pointer: `${pointer}/${member}`, code, detail },
  ];
  if (!isTimeZone(schedule.time_zone ?? "UTC"))
    return fault("time_zone", "unknown_time_zone", "must be a time zone such as `Europe/Vienna` or `UTC`");
  try {
    if (cronOf(schedule).nextRun(new Date(now))) return [];
  } catch {
    const detail = "must have five fields within their ranges: minute, hour, day, month, weekday; such as `0 7 * * *`";
    return fault("schedule", "not_cron", detail);
  }
  return fault("schedule", "never", "names a time that never comes; check day and month");
}

/**
 * The first time of a schedule after a moment; null: it never comes again. Where clocks are put forward, a time in the gap comes an hour later;
 * where they are put back, a time of day comes once.
 */
export const nextTime = (schedule: Schedule, after: number): Date | null => cronOf(schedule).nextRun(new Date(after));

/** The next times of a schedule after a moment, `most` at most. */
export const nextTimes = (schedule: Schedule, after: number, most: number): Date[] =>
  cronOf(schedule).nextRuns(most, new Date(after));

/** For which times a schedule fires that was next due at `nextAt`, oldest first, and when it is due next. Times that nobody looked at for a minute were missed. */
export function dueTimes(
  schedule: Schedule,
  nextAt: number,
  now: number,
): { readonly fire: readonly Date[]; readonly next: Date | null } {
  const next = nextTime(schedule, now);
  if (nextAt > now) return { fire: [], next: new Date(nextAt) };
  const { missed = "run_once" } = schedule;
  const times = timesBetween(schedule, nextAt, now);
  if (missed === "run_once") return { fire: times.slice(-1), next };
  return { fire: missed === "run_all" ? times : times.filter((time) => time.getTime() >= now - grace), next };
}

/** The newest times from `nextAt` to `now`, oldest first, at most {@link mostMissed}. */
function timesBetween(schedule: Schedule, nextAt: number, now: number): Date[] {
  const times: Date[] = [];
  for (
    let time: Date | null = new Date(nextAt);
    time && time.getTime() <= now;
    time = nextTime(schedule, time.getTime())
  ) {
    times.push(time);
    if (times.length > mostMissed) return newestTimes(schedule, now);
  }
  return times;
}

function newestTimes(schedule: Schedule, now: number): Date[] {
  // Looking back from a second later finds a time that is due right now.
  const back = cronOf(schedule).previousRuns(mostMissed + 1, new Date(now + 1_000));
  return back
    .filter((time) => time.getTime() <= now)
    .slice(0, mostMissed)
    .reverse();
}
