import type { Spending } from "../kernel/budget.ts";
import { Refusal } from "../kernel/errors.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import { type Attempt, contextOf, scopeOf } from "./stages.ts";

/**
 * Holds what the call may use of budgets, after everything else has let it pass. No promise where memory suffices: the way of most calls does not
 * wait. Throws or rejects with `budget_exhausted`.
 */
export function reserve(attempt: Attempt): Promise<void> | undefined {
  const { compliance } = attempt.spec;
  if ("reason" in compliance || !compliance.spends) return undefined;
  const { machine, params, query, body, loaded, facts, progress } = attempt;
  const spends = compliance.spends as unknown as (ctx: object, given: object) => Spending;
  const spending = spends(contextOf(attempt), { params, query, body, loaded, facts });
  const held = machine.ports.budgets.reserve(scopeOf(attempt), spending, progress.now);
  if (held instanceof Promise) {
    return held.then((reservation) => {
      attempt.reservation = reservation;
    });
  }
  attempt.reservation = held;
  return undefined;
}

/**
 * Ends the call's reservation, if it has one and it has not ended: as used, with what the handler said that it used, or as not used. One that the handler of
 * a call that came about took over is left to it.
 */
export function endReservation(attempt: Attempt, used: boolean): void {
  const { reservation } = attempt;
  if (reservation === null) return;
  attempt.reservation = null;
  if (used && attempt.reservationKept) return;
  if (used) reservation.settle(attempt.actual);
  else reservation.release();
}

/** Ends it for a call that failed: not used, unless a commit was sent whose outcome nobody knows. What is not known counts as used. */
export function abandonReservation(attempt: Attempt, error: unknown): void {
  attempt.reservationKept = false; // whoever wanted to keep it never heard of it
  endReservation(attempt, error instanceof Refusal && error.type === auditUnavailable);
}
