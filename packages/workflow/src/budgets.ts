import { Budget, UNITS_PER_MS } from "@aos/cel";

// What expressions of workflows, triggers, missions may cost: docs/decisions/0065. Counted, so that what is too costly is so on every machine.

/** One expression: about 100 ms of work. */
const expression = 100 * UNITS_PER_MS;
/** All expressions of one look at a run, of a trial, or of a measure: about a second. */
const total = 1_000 * UNITS_PER_MS;
/** What may be done between other calls: about a millisecond, for all expressions of one pure function together. */
const here = UNITS_PER_MS;

/** For a pure function that is done over again with {@link threadBudget} where it throws `NeedsThread`. */
export const callBudget = (): Budget => new Budget({ perExpression: expression, total, here });

/** For the same function in a thread: it decides as this one would. */
export const threadBudget = (): Budget => new Budget({ perExpression: expression, total });

/** For expressions over little, evaluated where no thread can be awaited: keys of runs, lists of plans. About two milliseconds together. */
export const smallBudget = (): Budget => new Budget({ perExpression: 2 * here, total: 2 * here });

/** A trial holds its caller up: all of its expressions may take about half a second. */
const trial = total / 2;
export const trialBudgets = {
  call: (): Budget => new Budget({ perExpression: expression, total: trial, here }),
  thread: (): Budget => new Budget({ perExpression: expression, total: trial }),
};

/** Of conditions on events, in one look at the events of an environment. */
export const conditionBounds = {
  /** One condition for one event: about 10 ms. */
  one: expression / 10,
  /** What is granted to each, however much others have used: about .1 ms. */
  least: UNITS_PER_MS / 10,
  /** One condition over all events of a look: about a quarter of a second. */
  each: total / 4,
  /** All conditions of a look, above what is granted: about a second. */
  all: total,
  /** What is judged while the look's transaction is open: about a millisecond. */
  here,
} as const;
