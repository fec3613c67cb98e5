import type { Wait } from "./definition.ts";
import { durationMs } from "./duration.ts";
import { evaluate, type Scope } from "./expressions.ts";
import { momentOf } from "./failures.ts";

export const isForEvent = ({ event, any_of }: Wait): boolean => event !== undefined || any_of !== undefined;

/** When a wait is over by time, and from when on events count for it. Throws an `ExpressionFault`. */
export function timesOf(wait: Wait, scope: Scope, startedAt: number): { wakeAt?: number; since: number } {
  const moment = (source: string): number => momentOf(source, evaluate(source, scope));
  const span = wait.for ?? wait.at_most;
  const after = span === undefined ? undefined : scope.now.getTime() + durationMs(span);
  const wakeAt = wait.until === undefined ? after : moment(wait.until);
  return {
    ...(wakeAt !== undefined && { wakeAt }),
    since: wait.since === undefined ? startedAt : moment(wait.since),
  };
}
