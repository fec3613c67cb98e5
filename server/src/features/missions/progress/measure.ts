import { betaQuantile, studentQuantile } from "@aos/statistics";
import { type Budget, ExpressionFault, evaluate, type Scope, threadBudget } from "@aos/workflow";
import type { Measure, Measured } from "../schemas.ts";

// Measures results of tasks by a declared rule. No agent has a say in it.

/** A result of a task, as expressions of a measure see it. */
export interface Result {
  readonly status: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly feedback: {
    readonly accepted: boolean | null;
    readonly rating: number | null;
    readonly outcome: number | null;
  };
}

/** A value with its 95 % interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const nothing = { steps: {}, run: {}, now: new Date(0) };
const scopeOf = ({ status, input, output, feedback }: Result, budget: Budget): Scope => ({
  ...nothing,
  budget,
  input,
  names: { output: output ?? {}, feedback, status },
});

/** A share of trials with its interval: the posterior of Jeffreys' prior, which also holds for few trials and none. */
export function shareOf(successes: number, trials: number): Interval {
  const [a, b] = [successes + 0.5, trials - successes + 0.5];
  return {
    value: trials === 0 ? 0.5 : successes / trials,
    low: successes === 0 ? 0 : betaQuantile(0.025, a, b),
    high: successes === trials ? 1 : betaQuantile(0.975, a, b),
  };
}

/** A mean with its interval by Student's t, which is null for one value. */
export function meanOf(values: readonly number[]): { value: number; low: number | null; high: number | null } | null {
  const n = values.length;
  if (n === 0) return null;
  const value = values.reduce((sum, one) => sum + one, 0) / n;
  if (n === 1) return { value, low: null, high: null };
  const squares = values.reduce((sum, one) => sum + (one - value) ** 2, 0);
  const margin = studentQuantile(0.975, n - 1) * Math.sqrt(squares / (n - 1) / n);
  return { value, low: value - margin, high: value + margin };
}

/** Whether a result counts, and its number if the measure takes one; undefined: an expression failed. */
function judge(measure: Measure, result: Result, budget: Budget): { counts: boolean; value: number } | undefined {
  try {
    const scope = scopeOf(result, budget);
    const counts = measure.where === undefined ? result.status === "completed" : evaluate(measure.where, scope);
    if (typeof counts !== "boolean") return undefined;
    if (!counts || measure.value === undefined) return { counts, value: 1 };
    const value = evaluate(measure.value, scope);
    return typeof value === "number" && Number.isFinite(value) ? { counts, value } : undefined;
  } catch (error) {
    if (error instanceof ExpressionFault) return undefined;
    throw error;
  }
}

interface Measuring {
  readonly measure: Measure;
  readonly results: readonly Result[];
}

/** Values of measures. Throws `NeedsThread` if that takes too long here. */
export const measureHere = (all: readonly Measuring[], budget: Budget): Measured[] =>
  all.map(({ measure, results }) => measureOf(measure, results, budget));
/** The same in a thread. */
export const measureThere = (all: readonly Measuring[]): Measured[] => measureHere(all, threadBudget());

function measureOf(measure: Measure, results: readonly Result[], budget: Budget): Measured {
  const judged = results.map((result) => judge(measure, result, budget));
  const values = judged.flatMap((one) => (one?.counts ? [one.value] : []));
  const { target, direction = "at_least" } = measure;
  const found = aggregateOf(measure, values, results.length);
  const reached = found !== null && (direction === "at_least" ? found.value >= target : found.value <= target);
  return {
    ...(found ?? { value: null, low: null, high: null }),
    target,
    direction,
    reached,
    results: results.length,
    counted: values.length,
    faults: judged.filter((one) => one === undefined).length,
  };
}

function aggregateOf(
  { aggregate }: Measure,
  values: readonly number[],
  results: number,
): { value: number; low: number | null; high: number | null } | null {
  const exact = (value: number) => ({ value, low: value, high: value });
  switch (aggregate) {
    case "count":
      return exact(values.length);
    case "sum":
      return exact(values.reduce((sum, one) => sum + one, 0));
    case "rate":
      return results === 0 ? null : shareOf(values.length, results);
    case "mean":
      return meanOf(values);
    default: {
      const extreme = aggregate === "min" ? Math.min : Math.max;
      return values.length === 0 ? null : exact(values.reduce((a, b) => extreme(a, b)));
    }
  }
}
