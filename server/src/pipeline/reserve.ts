import { type Demand, nothingUsed, type Reservation, type Spending } from "../kernel/budget.ts";
import { Refusal } from "../kernel/errors.ts";
import { charge, type HeldCharge, type LedgerEntry, reservedAt } from "../kernel/ledger.ts";
import { auditUnavailable, budgetExhausted } from "../kernel/problems.ts";
import { retryTransient } from "../kernel/transient.ts";
import { stagePort } from "./ports.ts";
import type { Governed } from "./stages.ts";

class CallCharge implements HeldCharge {
  readonly #governed: Governed;
  readonly #spending: Spending;
  readonly #reservation: Reservation | null;
  readonly unpaid: boolean;
  #about: { readonly object: string | null; readonly task: string | null } = { object: null, task: null };
  #step: string | null = null;
  #ended = false;

  constructor(governed: Governed, spending: Spending, reservation: Reservation | null, unpaid = false) {
    this.#governed = governed;
    this.#spending = spending;
    this.#reservation = reservation;
    this.unpaid = unpaid;
  }

  about(object: string | null, task: string | null): void {
    this.#about = { object, task };
  }

  of(step: string | null): this {
    this.#step = step;
    return this;
  }

  entry(used?: Demand): LedgerEntry | null {
    const { auditRef: id, now, spec } = this.#governed;
    const at = reservedAt(this.#reservation, now);
    return charge({ id, at, operation: spec.id, step: this.#step, ...this.#about }, this.#spending, used);
  }

  async settle(used?: Demand): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const entry = this.entry(used);
    const { machine, scope } = this.#governed;
    try {
      if (entry) await retryTransient(() => machine.port(stagePort).budgets.charge(scope, entry));
    } finally {
      this.end(used);
    }
  }

  end(used?: Demand): void {
    this.#reservation?.settle(used);
  }

  release(): void {
    this.#reservation?.release();
  }
}

/**
 * Holds what the call may use of budgets, after everything else has let it pass; null: it spends nothing. No promise where memory suffices. Throws or rejects with
 * `budget_exhausted`.
 */
export function reserve(governed: Governed): HeldCharge | null | Promise<HeldCharge | null> {
  const { machine, spec, context, input, facts, scope, now } = governed;
  const { compliance } = spec;
  if ("reason" in compliance || !compliance.spends) return null;
  const spends = compliance.spends as unknown as (ctx: object, given: object) => Spending;
  const { params, query, body, loaded } = input;
  const spending = spends(context, { params, query, body, loaded, facts });
  const charged = (reservation: Reservation | null) => new CallCharge(governed, spending, reservation);
  const { overBudget } = compliance;
  if (!overBudget) {
    const held = machine.port(stagePort).budgets.reserve(scope, spending, now);
    return held instanceof Promise ? held.then(charged) : charged(held);
  }
  const goesOn = overBudget as unknown as (ctx: object, given: object) => boolean;
  const without = (error: unknown): CallCharge => {
    if (!isUsedUp(error) || !goesOn(context, { params, query, body, loaded })) throw error;
    return new CallCharge(governed, { ...spending, demand: nothingUsed }, null, true);
  };
  return reserveNow(() => machine.port(stagePort).budgets.reserve(scope, spending, now)).then(charged, without);
}

const reserveNow = async (hold: () => Reservation | null | Promise<Reservation | null>) => hold();

/** What calls under way have reserved may be given back soon: that is not used up. */
const isUsedUp = (error: unknown): boolean =>
  error instanceof Refusal &&
  error.type === budgetExhausted &&
  (error.details.members?.budget as { readonly reserved?: number } | undefined)?.reserved === undefined;

/** Ends the reservation of a call that failed: not used, unless a commit was sent whose outcome nobody knows. What is not known counts as used. */
export function abandon(held: HeldCharge | null, error: unknown, actual?: Demand): void {
  if (error instanceof Refusal && error.type === auditUnavailable) held?.end(actual);
  else held?.release();
}
