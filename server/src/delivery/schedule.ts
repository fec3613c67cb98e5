const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Before each attempt, how long after the one before (milliseconds): the first at once, the tenth and last a day after the ninth. */
export const schedule: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** By which share a wait is longer or shorter than the schedule says, so that what failed together does not come back together. */
const spread = 0.2;

/** An endpoint of which every attempt failed for so long is disabled (milliseconds). */
export const disabledAfter = 5 * 24 * hour;

/**
 * How long to wait after so many failures of a series (from 1); null: it is given up. `random` is in [0, 1). What the receiver asked for
 * (`Retry-After`, milliseconds) is awaited where it is longer, up to twice the step of the schedule.
 */
export function waitAfter(failures: number, random: number, retryAfter: number | null): number | null {
  const step = schedule[failures];
  if (step === undefined) return null;
  const own = step * (1 - spread + 2 * spread * random);
  return Math.round(retryAfter === null ? own : Math.max(own, Math.min(retryAfter, 2 * step)));
}

/** What a `Retry-After` asks for (RFC 9110, section 10.2.3: seconds, or a date), in milliseconds from `now`; null: nothing that can be read. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
