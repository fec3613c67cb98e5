import { Budget, conditionBounds, ExpressionFault, NeedsThread } from "@aos/workflow";
import { type Judgement, judgeHere, type Names, type Question } from "./expression-work.ts";

/** Conditions of one look at events: a millisecond of them is judged here, the rest is left for a thread, and the look is repeated with what that says. */
export class Judgements {
  readonly #known: ReadonlyMap<string, Judgement>;
  readonly #budget = new Budget({
    perExpression: conditionBounds.one,
    total: Number.POSITIVE_INFINITY,
    here: conditionBounds.here,
  });
  #isFull = false;
  /** What a thread has to judge first. */
  readonly left: Question[] = [];

  constructor(known: ReadonlyMap<string, Judgement>) {
    this.#known = known;
  }

  /** Whether a condition holds; false too while it is {@link left}. Throws an `ExpressionFault`. `keyOf`: what tells it from all others. */
  holds(where: string, names: Names, keyOf: () => string): boolean {
    const known = this.#known.size === 0 ? undefined : this.#known.get(keyOf());
    const judgement = known ?? this.#here({ where, names });
    if (!judgement) this.left.push({ key: keyOf(), where, names });
    if (!judgement) return false;
    if ("value" in judgement) return judgement.value;
    const { source, message, code } = judgement.fault;
    throw new ExpressionFault(source, message, code);
  }

  #here(question: Pick<Question, "where" | "names">): Judgement | undefined {
    if (this.#isFull) return undefined;
    try {
      return judgeHere(question, this.#budget);
    } catch (error) {
      if (!(error instanceof NeedsThread)) throw error;
      this.#isFull = true;
      return undefined;
    }
  }
}
