import { refusalOf } from "./errors.ts";
import { isOfMachine, isTransient } from "./transient.ts";

// Work that an error of the service interrupted: it is given back, and taken up again after a pause that doubles. A worker that was lost counts apart.

/** Errors in a row after which work ends as failed with the last of them: more than five hours, by the pauses. */
export const mostFaults = 40;
const longestPauseSeconds = 600;

/** Seconds until work is taken up again, after so many errors in a row before this one: 1, doubled each time, 600 at most. */
export const faultPause = (before: number): number => Math.min(longestPauseSeconds, 2 ** Math.min(before, 10));

/** SQL: the same, as an interval; `faults` is a column or parameter. */
export const faultPauseSql = (faults: string): string =>
  `least(${longestPauseSeconds}, 2 ^ least(${faults}, 10)) * interval '1 second'`;

/** What is stored and shown of an error of the service: neither its text nor its values. */
export function faultText(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal) return `${refusal.type.code}: ${refusal.details.detail}`.slice(0, 500);
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const named = typeof code === "string" ? ` (${code})` : "";
  if (isTransient(error))
    return isOfMachine(error)
      ? `The machine is short of memory, disk or files${named}.`
      : `The database could not do its part${named}.`;
  return "An unexpected error of the service, which was logged.";
}

/** What is known of work that nobody holds. */
export interface Interrupted {
  /** Workers that were lost with it. */
  readonly lost: number;
  readonly faults: number;
  readonly fault: string | null;
}

/** Why work is given up; undefined: it is not. */
export function whyGivenUp({ lost, faults, fault }: Interrupted, mostLost: number): string | undefined {
  if (faults >= mostFaults)
    return `The service failed ${faults} times in a row, over hours: ${fault ?? "see its log."}`;
  return lost >= mostLost ? `Its worker was lost in each of ${lost} attempts.` : undefined;
}

/** Pieces of work whose errors a process remembers: one that it forgets is tried again sooner. */
const mostCounted = 10_000;

/** Counts errors of the service in a row in this process, by the id of the work. */
export function createFaultCounts() {
  const counts = new Map<string, number>();
  return {
    /** How many there were before this one. */
    next(id: string): number {
      const before = counts.get(id) ?? 0;
      counts.delete(id);
      counts.set(id, before + 1);
      if (counts.size > mostCounted) counts.delete(counts.keys().next().value as string);
      return before;
    },
    forget: (id: string): unknown => counts.delete(id),
  };
}

/** Work that a sweep does itself: what met an error of the service waits, and keeps nothing else waiting. */
export function createPauses() {
  const counts = createFaultCounts();
  const until = new Map<string, number>();
  return {
    waits: (id: string, now: number): boolean => (until.get(id) ?? 0) > now,
    /** Does a piece of work. Returns the error that it met; undefined: none. */
    async around(id: string, now: number, work: () => Promise<unknown>): Promise<unknown> {
      try {
        await work();
        counts.forget(id);
        until.delete(id);
        return undefined;
      } catch (error) {
        until.set(id, now + faultPause(counts.next(id)) * 1_000);
        if (until.size > mostCounted) until.delete(until.keys().next().value as string);
        return error;
      }
    },
  };
}
