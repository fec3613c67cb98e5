import type { TimeWindow } from "./plan-windows.ts";

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
