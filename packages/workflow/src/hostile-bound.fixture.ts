import { Budget } from "@aos/cel";
import { ExpressionFault, evaluate } from "./expressions.ts";
import { hostileExpression, hostileInput, randomOf } from "./hostile.fixture.ts";

/** One expression may cost so many units here: about 10 ms of work. */
const BOUND = 400_000;
/** Holds for a hostile expression over hostile values: it ends with a value or a fault of its own, within the units that it may cost. */
export function expectBounded(seed: number): void {
  const random = randomOf(seed);
  const [input, source] = [hostileInput(random), hostileExpression(random)];
  const budget = new Budget({ perExpression: BOUND, total: BOUND });
  const outcome = outcomeOf(source, input, budget);
  if (outcome !== "expression_too_costly" && budget.used > BOUND)
    throw new Error(`${source} cost ${budget.used} units and ended by ${outcome}`);
}

/** The code of a fault, or that there is a value. Anything else is thrown. */
export function outcomeOf(source: string, input: unknown, budget: Budget): ExpressionFault["code"] | "value" {
  try {
    evaluate(source, { input, steps: {}, run: {}, now: new Date(0), budget });
    return "value";
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    return error.code;
  }
}
