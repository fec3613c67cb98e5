// Work of evaluations is counted, not timed: the same expression over the same values has the same outcome on every machine.

/** Counted units of a millisecond: one unit is about 25 ns of one processor (docs/decisions/0065). */
export const UNITS_PER_MS = 40_000;

/** What evaluations may cost, in units. */
export interface Bounds {
  /** One evaluation, its result included. */
  readonly perExpression: number;
  /** All evaluations that share the budget. */
  readonly total: number;
  /** As much may be done here; what costs more has to be done over again in a thread ({@link NeedsThread}). Left out: all of it. */
  readonly here?: number;
}

/** Where in an expression: a node of the parser. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** The evaluation would cost more than it may. */
export class TooCostly extends Error {
  /** Which bound: of this evaluation, of all that share the budget, or the size of the result. */
  readonly bound: "expression" | "total" | "result";
  /** UTF-16 units from the start of the expression to the part that was being evaluated, and to its end; null: its result. */
  readonly place: Place | null;
  constructor(bound: TooCostly["bound"], place: Place | null) {
    super("The expression costs more than it may.");
    this.bound = bound;
    this.place = place;
  }
}

/** The work is too much for this thread. Nothing has been decided: do the whole pure function over again in another one. */
export class NeedsThread extends Error {}

/**
 * What one or more evaluations may still cost. Once exceeded it stays so, whatever an expression does with errors (`||`, `exists`). Not to be shared by
 * evaluations that are not one after the other.
 */
export class Budget {
  readonly #bounds: Bounds;
  /** Units so far. */
  used = 0;
  /** Where the present evaluation ends. */
  stop = 0;
  #failure: TooCostly | NeedsThread | null = null;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Begins an evaluation. */
  begin(): void {
    const { perExpression, total, here = Number.POSITIVE_INFINITY } = this.#bounds;
    this.#failure = null;
    this.stop = Math.min(this.used + perExpression, total, here);
    if (this.used >= this.stop) this.exceed(null);
  }

  /** Charges work before it is done. Throws where it is too much. */
  spend(units: number, place: Place | null): void {
    this.used += units;
    if (this.used > this.stop) this.exceed(place);
  }

  /** Throws what has stopped the evaluation, if anything has. */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  get isExceeded(): boolean {
    return this.#failure !== null;
  }

  /** What is left of the present evaluation. */
  get left(): number {
    return this.stop - this.used;
  }

  exceed(place: Place | null): never {
    const { total, here = Number.POSITIVE_INFINITY } = this.#bounds;
    this.#failure ??=
      here <= this.stop ? new NeedsThread() : new TooCostly(total <= this.stop ? "total" : "expression", place);
    throw this.#failure;
  }

  /** Stops the evaluation for the size of its result. */
  refuseResult(): never {
    this.#failure ??= new TooCostly("result", null);
    throw this.#failure;
  }
}
