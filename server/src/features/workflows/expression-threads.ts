import { type Budget, callBudget, NeedsThread } from "@aos/workflow";
import { refuse } from "../../kernel/errors.ts";
import type { Scope } from "../../kernel/principal.ts";
import { overloaded } from "../../kernel/problems.ts";
import { inThread, TookTooLong, TooManyWaiting } from "../../kernel/threads.ts";

// Where the expressions of callers are evaluated: here what takes about a millisecond, in a thread what takes longer.

/** How long a thread may work at one piece (milliseconds). Counting ends expressions long before; this ends what nobody counted. */
const PATIENCE = 30_000;
/** Pieces of work of one organization at once, where callers wait for them. */
const MOST_WAITING = 4;

const work = new URL("./expression-work.ts", import.meta.url);

export interface Exported {
  readonly module: URL;
  readonly name: string;
}

/** Calls a pure function of `expression-work.ts` in a thread. Organizations take turns. Throws only for faults of the service, never of an expression. */
export const inExpressionThread = <T>({ organization }: Scope, name: string, given: unknown): Promise<T> =>
  inThread<T>(work, name, given, PATIENCE, { name: organization });

/**
 * Does a pure function (of `expression-work.ts`, or as said) here or, where that takes too long, all over again in a thread. For a call: where no thread is to be had, it is refused and may be repeated.
 */
export async function withExpressions<G, T>(
  scope: Scope,
  given: G,
  here: (given: G, budget: Budget) => T,
  there: string | Exported,
  budget = callBudget(),
): Promise<T> {
  try {
    return here(given, budget);
  } catch (error) {
    if (!(error instanceof NeedsThread)) throw error;
  }
  try {
    const { module, name } = typeof there === "string" ? { module: work, name: there } : there;
    return await inThread<T>(module, name, given, PATIENCE, { name: scope.organization, most: MOST_WAITING });
  } catch (error) {
    if (!(error instanceof TookTooLong) && !(error instanceof TooManyWaiting)) throw error;
    throw refuse(overloaded, "Other expressions are being evaluated, and these take long. Repeat the call.", {
      headers: { "Retry-After": "2" },
    });
  }
}
