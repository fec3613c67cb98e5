import { timestamp } from "./clock.ts";
import { type IdPrefix, lowestId, timeOfId } from "./ids.ts";

/** Ends of a range of time as callers give them (RFC 3339): from inclusive to exclusive. */
export interface CreatedRange {
  readonly created_after?: string;
  readonly created_before?: string;
}

/**
 * The milliseconds since 1970 of a time that a caller gave (RFC 3339). A leap second, which only that format knows, counts as the second before it, and nothing of ours
 * is older than 1970.
 */
export function momentOf(time: string): number {
  return Math.max(0, Date.parse(time.replace(/:60(?=[.Zz+-])/, ":59")));
}

/**
 * Conditions for what was made within a range, over a column of ids: they sort by time, so that one index serves for both. What is listed so shows `madeAt` as its time:
 * another clock, even a moment later, would show times that the range does not find.
 */
export function createdWithin(
  and: (condition: (parameter: string) => string, value: string | undefined) => void,
  [prefix, column]: readonly [prefix: IdPrefix, column: string],
  { created_after, created_before }: CreatedRange,
): void {
  const bound = (time: string | undefined) => (time === undefined ? undefined : lowestId(prefix, momentOf(time)));
  and((p) => `${column} >= ${p}`, bound(created_after));
  and((p) => `${column} < ${p}`, bound(created_before));
}

/** The time at which something with this id was made, as it is shown. */
export function madeAt(id: string): string {
  const ms = timeOfId(id);
  if (ms === undefined) throw new Error(`not an id: ${id}`);
  return timestamp(ms);
}
