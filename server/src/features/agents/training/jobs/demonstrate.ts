import { setTimeout as pause } from "node:timers/promises";
import { canonicalJson } from "@aos/strict-json";
import { hindranceOf } from "../../../../kernel/skill-runner.ts";
import { digestOf } from "../../definitions/bundle/index.ts";
import type { TrainingEnding } from "../operations/finish-training.ts";
import { type ProposedVersion, proposeVersion } from "../operations/propose-version.ts";
import { expectsAnything, type Measured, metricsOf, outputScore } from "../rules.ts";
import type { TrainingPair } from "../schemas.ts";
import { insertTrainingResult, listTrainingResults, reportTraining, type TrainingResultRow } from "../store.ts";
import { type Attempt, gatherExamples, TrainingFailed } from "./attempt.ts";

/** Choosing compares each example with each. */
const most = { looked: 400, chosen: 32 } as const;

/** On average over English text and JSON: an estimate that needs no provider's count. */
const charactersOfToken = 3.5;

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

/**
 * For a provider's model, which cannot be trained here: chooses the examples that it is shown, and runs the skill with and without them on examples that were
 * held out, as far as the budget goes. Each run is kept, so that a job which goes on after a crash pays for none twice.
 */
export async function demonstrate(attempt: Attempt): Promise<TrainingEnding> {
  const { db, row, held, inside } = attempt;
  const { request, split, skill } = await gatherExamples(attempt);
  const { chosen, tokens } = chooseDemonstrations(split.train, request.budget.prompt_tokens);
  if (chosen.length === 0) {
    throw new TrainingFailed(
      "budget_too_small",
      `No example fits into ${request.budget.prompt_tokens} tokens; raise \`budget.prompt_tokens\`.`,
    );
  }
  await reportTraining(db, held, { demonstrations: { chosen: chosen.length, prompt_tokens: tokens } });
  if (row.version_id === null && digestOf(skill.examples ?? []) === digestOf(chosen)) {
    return { kind: "done", phase: "nothing new: the skill is shown these examples already", outcomes: [] };
  }
  const candidate = await inside(proposeVersion, held, {
    training: row.id,
    attempt: row.attempt,
    demonstrations: chosen,
  });
  const measured = await measure(attempt, split.heldOut, candidate, request);
  await reportTraining(db, held, {
    metrics: metricsOf(measured, "share of what was expected that the output says", []),
  });
  return { kind: "done", phase: "done", outcomes: measured.map(({ after }) => ({ outcome: after })) };
}

/** Retries of a run that failed through no fault of its version. */
const tries = 3;

interface Spending {
  readonly budget: { readonly runs: number; readonly cost_usd: number };
  readonly seed: number;
}

/** In pairs by both versions, until runs or money are used up. Runs of earlier attempts count. */
async function measure(
  attempt: Attempt,
  heldOut: readonly TrainingPair[],
  candidate: ProposedVersion,
  spending: Spending,
): Promise<Measured[]> {
  const { db, row, held, signal, progress } = attempt;
  const known = new Map((await listTrainingResults(db, held)).map((one) => [`${one.version_id} ${one.item}`, one]));
  const { runs, cost_usd } = spending.budget;
  const cases = heldOut.map((pair, item): Case => ({ item, pair })).filter(({ pair }) => expectsAnything(pair.output));
  const items = Math.min(cases.length, Math.floor(runs / 2));
  let spent = [...known.values()].reduce((sum, one) => sum + one.cost_usd, 0);
  const measured: Measured[] = [];
  for (const [at, one] of cases.slice(0, items).entries()) {
    progress("measuring", 0.1 + (0.9 * at) / items);
    const sides: number[] = [];
    for (const version of [row.base_version_id, candidate.id]) {
      signal.throwIfAborted();
      const before = known.get(`${version} ${one.item}`);
      if (before === undefined && spent >= cost_usd && spent > 0) return measured;
      const result = before ?? (await runOnce(attempt, candidate, version, one, spending.seed));
      if (before === undefined) spent += result.cost_usd;
      sides.push(result.correct);
    }
    measured.push({ before: sides[0]!, after: sides[1]! });
  }
  return measured;
}

/** A held-out example with its index. */
interface Case {
  readonly item: number;
  readonly pair: TrainingPair;
}

/**
 * A run that fails by the version's own doing says nothing of what was expected. Where something else stands in the way, it is tried again, nothing is kept of it,
 * and in the end the job fails with that: an outage is no evidence.
 */
async function runOnce(
  attempt: Attempt,
  candidate: ProposedVersion,
  version: string,
  { item, pair }: Case,
  seed: number,
): Promise<TrainingResultRow> {
  const { skills, db, row, held, signal, pauseMs } = attempt;
  const scope = { organization: held.organization, environment: held.environment };
  let cost = 0;
  for (let tried = 1; ; tried++) {
    const outcome = await skills.run({ scope, versionId: version, skill: row.skill, seed, signal, input: pair.input });
    cost += outcome.usage.costUsd;
    const hindrance = hindranceOf(outcome);
    if (hindrance === null) {
      const correct = outcome.kind === "completed" ? outputScore(pair.output, outcome.output) : 0;
      const result = { version_id: version, item, correct, cost_usd: cost };
      await insertTrainingResult(db, held, result);
      return result;
    }
    if (tried >= tries) {
      const made = `Version ${candidate.number} was made, but could not be measured against version ${row.base_number}`;
      throw new TrainingFailed(hindrance.code, `${made}, for a reason that is not its own: ${hindrance.detail}`);
    }
    await pause(pauseMs * tried, undefined, { signal });
  }
}
