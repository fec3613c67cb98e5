import type { Evidence } from "./evidence.ts";
import { answerability, type Weights } from "./judgement-weights.ts";

/**
 * `answered`: the first page is the right one in four of five such cases. `unsure`: the right page is usually among the first three. `nothing`: nothing that was
 * found belongs to the question.
 */
export type Outcome = "answered" | "unsure" | "nothing";
export const outcomes = ["answered", "unsure", "nothing"] as const satisfies readonly Outcome[];

export interface Judgement {
  readonly outcome: Outcome;
  /** That the first page answers, calibrated over several bases. */
  readonly probability: number;
}

/**
 * The one judgement of whether a search answers its question (decision 0078): what the built-in model says, `answered`, gaps and the hit rate follow it.
 * `shift`: what ratings in this installation add to the log odds.
 */
export function judge(evidence: Evidence | null, shift = 0): Judgement {
  if (evidence === null) return { outcome: "nothing", probability: 0 };
  const probability = chance(answerability.first, evidence, shift);
  if (probability >= answerability.quoted) return { outcome: "answered", probability };
  const isListed = chance(answerability.three, evidence, shift) >= answerability.listed;
  return { outcome: isListed ? "unsure" : "nothing", probability };
}

function chance(weights: Weights, evidence: Evidence, shift: number): number {
  const names = Object.keys(evidence) as (keyof Evidence)[];
  const odds = names.reduce((sum, name) => sum + weights[name] * evidence[name], weights.constant + shift);
  return 1 / (1 + Math.exp(-odds));
}
