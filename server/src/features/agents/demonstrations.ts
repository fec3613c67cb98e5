import { canonicalJson } from "@aos/strict-json";
import type { TrainingPair } from "./training-schemas.ts";

// Choosing the examples that a provider's model is shown.

/** Examples that are looked at, and demonstrations that are chosen, at most: choosing compares each with each. */
const most = { looked: 400, chosen: 32 } as const;

/** Characters of a token, on average over English text and JSON: an estimate that no provider's own count is needed for. */
const charactersOfToken = 3.5;

/** How many tokens an example takes up in a prompt, about. */
export function tokensOf(pair: TrainingPair): number {
  return Math.ceil((JSON.stringify(pair.input).length + JSON.stringify(pair.output).length) / charactersOfToken) + 8;
}

/** What a pair of examples has in common, from 0 to 1: the cosine of their words, and the more where they also have the same output. */
type Likeness = (one: number, other: number) => number;

/**
 * Chooses examples within a budget of tokens so that every example has one like it among them: greedily by what each adds to the coverage for what it costs
 * (facility location, which is submodular, so that the greedy choice by gain over cost comes near the best; Leskovec et al. 2007). Depends on the examples
 * alone, in their order; what is held out is not looked at.
 */
export function chooseDemonstrations(
  train: readonly TrainingPair[],
  budget: number,
): { chosen: TrainingPair[]; tokens: number } {
  const looked = evenly(train, most.looked);
  const like = likenessOf(looked);
  const costs = looked.map(tokensOf);
  const covered = new Array<number>(looked.length).fill(0);
  const chosen: number[] = [];
  let tokens = 0;
  for (;;) {
    const best = bestAddition(like, costs, covered, chosen, budget - tokens);
    if (best === null || chosen.length === most.chosen) break;
    chosen.push(best);
    tokens += costs[best]!;
    for (const index of covered.keys()) covered[index] = Math.max(covered[index]!, like(index, best));
  }
  return { chosen: chosen.sort((a, b) => a - b).map((index) => looked[index]!), tokens };
}

function bestAddition(
  like: Likeness,
  costs: readonly number[],
  covered: readonly number[],
  chosen: readonly number[],
  left: number,
): number | null {
  let best: number | null = null;
  let bestRate = 0;
  for (const [candidate, cost] of costs.entries()) {
    if (cost > left || chosen.includes(candidate)) continue;
    let gain = 0;
    for (const [index, already] of covered.entries()) gain += Math.max(0, like(index, candidate) - already);
    const rate = gain / cost;
    if (rate > bestRate + 1e-12) {
      best = candidate;
      bestRate = rate;
    }
  }
  return best;
}

/** Examples spread evenly over a longer list. */
function evenly(list: readonly TrainingPair[], most: number): readonly TrainingPair[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)]!);
}

function likenessOf(pairs: readonly TrainingPair[]): Likeness {
  const bags = weighed(pairs.map(({ input }) => wordsOf(input)));
  const outputs = pairs.map(({ output }) => canonicalJson(output));
  const table = new Float64Array(pairs.length * pairs.length);
  for (const [a, one] of bags.entries()) {
    for (let b = a; b < bags.length; b++) {
      const value = a === b ? 1 : (0.2 + 0.8 * cosine(one, bags[b]!)) * (outputs[a] === outputs[b] ? 1 : 0.5);
      table[a * pairs.length + b] = value;
      table[b * pairs.length + a] = value;
    }
  }
  return (one, other) => table[one * pairs.length + other]!;
}

/** The words of all texts in an input, lower case, and its other values as they are. */
function wordsOf(value: unknown): string[] {
  if (typeof value === "string") return value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(wordsOf);
  return value === null || value === undefined ? [] : [String(value)];
}

/** Bags of words of length 1, each word weighed by how rare it is. */
function weighed(texts: readonly string[][]): ReadonlyMap<string, number>[] {
  const documents = new Map<string, number>();
  for (const words of texts) for (const word of new Set(words)) documents.set(word, (documents.get(word) ?? 0) + 1);
  return texts.map((words) => {
    const bag = new Map<string, number>();
    for (const word of words) bag.set(word, (bag.get(word) ?? 0) + Math.log((texts.length + 1) / documents.get(word)!));
    const length = Math.sqrt([...bag.values()].reduce((sum, weight) => sum + weight * weight, 0));
    return length === 0 ? bag : new Map([...bag].map(([word, weight]) => [word, weight / length]));
  });
}

function cosine(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const [short, long] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [word, weight] of short) sum += weight * (long.get(word) ?? 0);
  return sum;
}
