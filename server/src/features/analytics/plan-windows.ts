import type { Grain } from "./rollup-types.ts";

// Windows of a grain in a time zone. All times are milliseconds since the epoch.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Windows end here at the latest: times far beyond have no block. */
export const latestEnd = Date.UTC(2100, 0, 1);

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How to write times of a zone; null: there is no such zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", era: "short", ...parts });
    if (formats.size < 1_000) formats.set(timeZone, format);
    return format;
  } catch {
    return null;
  }
}

/** What clocks of the zone show, as if it were UTC; whole minutes. */
function localTime(timeZone: string, at: number): number {
  if (timeZone === "UTC") return at;
  const parts = new Map((formatOf(timeZone) as Intl.DateTimeFormat).formatToParts(at).map((p) => [p.type, p.value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  return Date.UTC(number("year"), number("month") - 1, number("day"), number("hour"), number("minute"));
}

/** The local midnight after the day, week or month in which a local time lies. */
function nextMidnight(local: number, grain: "day" | "week" | "month"): number {
  const date = new Date(local);
  if (grain === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  const today = Math.floor(local / day) * day;
  return grain === "day" ? today + day : today + (7 - ((date.getUTCDay() + 6) % 7)) * day;
}

/** The first minute after `after` at which clocks of the zone show this midnight or, where they skip it, what comes next. */
function firstAt(timeZone: string, midnight: number, after: number): number {
  const offset = (at: number) => localTime(timeZone, at) - at;
  const guess = midnight - offset(midnight - offset(midnight));
  const isThere = (at: number) => localTime(timeZone, at) >= midnight;
  if (guess > after && isThere(guess) && !isThere(guess - minute)) return guess;
  let [low, high] = [Math.max(after, midnight - 27 * hour), midnight + 27 * hour];
  while (high - low > minute) {
    const middle = low + Math.floor((high - low) / 2 / minute) * minute;
    if (isThere(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The end of the window of a grain in which a minute lies. */
function endOf(at: number, grain: Grain, timeZone: string): number {
  if (grain === "minute") return at + minute;
  const local = localTime(timeZone, at);
  // Zones shift by whole minutes, and never within an hour of the clock but at its beginning or its half.
  if (grain === "hour") return at + hour - (local % hour);
  return firstAt(timeZone, nextMidnight(local, grain), at);
}

/**
 * The windows between two whole minutes, one after another; the first and the last may be cut off. Without a grain it is one. Null: there would be more than `most`.
 */
export function windowsOf(
  { from, to, grain, timeZone = "UTC" }: TimeWindow & { readonly grain?: Grain; readonly timeZone?: string },
  most: number,
): TimeWindow[] | null {
  if (grain === undefined) return [{ from, to }];
  const windows: TimeWindow[] = [];
  for (let at = from; at < to; ) {
    if (windows.length === most) return null;
    const end = Math.min(to, endOf(at, grain, timeZone));
    windows.push({ from: at, to: end });
    at = end;
  }
  return windows;
}
