import { nextTime } from "../../../kernel/schedule.ts";

// Days and months of a time zone. Where clocks skip midnight, a day begins an hour later.

const hour = 3_600_000;
/** A day is no longer than this, and a month not either (milliseconds). */
const longDay = 26 * hour;
const longMonth = 32 * 24 * hour;

const startAfter = (schedule: string, timeZone: string, after: number): number => {
  const next = nextTime({ schedule, time_zone: timeZone }, after);
  if (!next) throw new Error(`${schedule} never comes`);
  return next.getTime();
};
const dayAfter = (timeZone: string, after: number): number => startAfter("0 0 * * *", timeZone, after);
const monthAfter = (timeZone: string, after: number): number => startAfter("0 0 1 * *", timeZone, after);

function startBefore(next: (after: number) => number, at: number, longest: number): number {
  let start = next(at - longest - 1);
  for (let later = next(start); later <= at; later = next(start)) start = later;
  return start;
}

/** When the days begin that lie, whole or in part, between two moments; and when the last of them ends. */
export function daysBetween(timeZone: string, from: number, to: number): number[] {
  const next = (after: number): number => dayAfter(timeZone, after);
  const starts = [startBefore(next, from, longDay)];
  while ((starts.at(-1) as number) < to) starts.push(next(starts.at(-1) as number));
  return starts;
}

export interface Month {
  readonly from: number;
  readonly to: number;
}

export function monthOf(timeZone: string, at: number): Month {
  const from = startBefore((after) => monthAfter(timeZone, after), at, longMonth);
  return { from, to: monthAfter(timeZone, from) };
}

export function monthNamed(timeZone: string, name: string): Month {
  // No zone is 15 hours from UTC.
  const from = monthAfter(timeZone, Date.parse(`${name}-01T00:00:00Z`) - 15 * hour);
  return { from, to: monthAfter(timeZone, from) };
}

export const nameOfMonth = (timeZone: string, { from, to }: Month): string => {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit" }).formatToParts(
    (from + to) / 2,
  );
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}`;
};
