import type { Step } from "./definition.ts";
import { ExpressionFault } from "./expressions.ts";
import type { Failure, Outcome, StepState } from "./state.ts";

type Ended = Extract<Outcome, { kind: "ended" }>;

/** A step's time limit is over. */
export const overTime = ({ timeout }: Step): Failure => ({
  code: "timeout",
  detail: `It took longer than its time limit of ${timeout}.`,
});

/** How an attempt ended; one that was taken back for its time limit has failed by it. */
export function failureOf(
  { timedOut }: StepState,
  step: Step,
  { status, failure }: Ended,
): [status: Exclude<Ended["status"], "completed">, failure: Failure] {
  if (timedOut === true && status === "cancelled") return ["failed", overTime(step)];
  const plain = { code: status, detail: "It did not complete." };
  return [status as Exclude<Ended["status"], "completed">, failure ?? plain];
}

/** Milliseconds of a timestamp that an expression came to. */
export function momentOf(source: string, value: unknown): number {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms))
    throw new ExpressionFault(source, "It came to no timestamp, such as timestamp('2026-07-01T08:00:00Z').");
  return ms;
}
