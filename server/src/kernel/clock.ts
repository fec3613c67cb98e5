/** Milliseconds since the Unix epoch. The only source of time in the service: it comes with the context, so that a test can stop it. */
export interface Clock {
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with milliseconds, the one form in which times leave the service. */
export function timestamp(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

/** A time of the database in that form. */
export function isoTime(at: Date): string;
export function isoTime(at: Date | null): string | null;
export function isoTime(at: Date | null): string | null {
  return at && timestamp(at.getTime());
}

/** Calls of one millisecond share its text. */
let last = { ms: 0, text: new Date(0).toISOString() };
