import type { Demand, Reservation, Spending } from "../kernel/budget.ts";
import { Refusal } from "../kernel/errors.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import type { Governed } from "./stages.ts";

/**
 * Holds what the call may use of budgets, after everything else has let it pass; null: nothing. No promise where memory suffices. Throws or rejects with
 * `budget_exhausted`.
 */
export function reserve(governed: Governed): Reservation | null | Promise<Reservation | null> {
  const { machine, spec, context, input, facts, scope, now } = governed;
  const { compliance } = spec;
  if ("reason" in compliance || !compliance.spends) return null;
  const spends = compliance.spends as unknown as (ctx: object, given: object) => Spending;
  const { params, query, body, loaded } = input;
  return machine.ports.budgets.reserve(scope, spends(context, { params, query, body, loaded, facts }), now);
}

/** Ends the reservation of a call that failed: not used, unless a commit was sent whose outcome nobody knows. What is not known counts as used. */
export function abandon(reservation: Reservation | null, error: unknown, actual?: Demand): void {
  if (error instanceof Refusal && error.type === auditUnavailable) reservation?.settle(actual);
  else reservation?.release();
}
