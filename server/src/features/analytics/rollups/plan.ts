import type { Grain } from "./types.ts";

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

/** Lengths of the stretches that blocks are kept for, in minutes. */
export const storedGrains = { minute: 1, quarter: 15, hour: 60, day: 1_440 } as const;
export type StoredGrain = keyof typeof storedGrains;

/** From `low` up to before `high`, in minutes since the epoch. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Which blocks to read: what of the time is read by days, by hours, by quarters of an hour and by minutes. */
export type Plan = Readonly<Record<StoredGrain, readonly Range[]>>;

const toMinutes = ({ from, to }: TimeWindow): Range => ({ low: from / 60_000, high: to / 60_000 });

/** Reads windows by the largest blocks that lie wholly in one of them: whole days of UTC, whole hours and quarters at their edges, minutes for the rest. */
export function planOf(windows: readonly TimeWindow[]): Plan {
  const plan = { day: [] as Range[], hour: [] as Range[], quarter: [] as Range[], minute: [] as Range[] };
  for (const window of windows) read(plan, toMinutes(window), ["day", "hour", "quarter", "minute"]);
  return plan;
}

function read(plan: Record<StoredGrain, Range[]>, { low, high }: Range, grains: readonly StoredGrain[]): void {
  const [grain, ...finer] = grains;
  if (grain === undefined || low >= high) return;
  const length = storedGrains[grain];
  const [first, last] = [Math.ceil(low / length) * length, Math.floor(high / length) * length];
  if (first >= last) {
    read(plan, { low, high }, finer);
    return;
  }
  read(plan, { low, high: first }, finer);
  add(plan[grain], { low: first, high: last });
  read(plan, { low: last, high }, finer);
}

/** Ranges come in order; those that meet are one. */
function add(ranges: Range[], range: Range): void {
  const before = ranges.at(-1);
  if (before?.high === range.low) ranges[ranges.length - 1] = { low: before.low, high: range.high };
  else ranges.push(range);
}

/** The window in which a minute lies. The windows stand in order. */
export function windowAt(windows: readonly TimeWindow[], bucket: number): number {
  const at = bucket * 60_000;
  let [low, high] = [0, windows.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((windows[middle] as TimeWindow).from <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
