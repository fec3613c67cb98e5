import { columnsOf, type Head, type HeadFacts, quantized } from "./artifact.ts";
import { fitMap, fitTemperature, identityMap, scoreOfTop } from "./calibration.ts";
import type { Rows } from "./dataset.ts";
import { ln } from "./exact-math.ts";
import { spread } from "./fields.ts";
import { ClassLearner, type Learner, ScalarLearner, softmax } from "./linear.ts";
import type { Scalar } from "./outputs.ts";
import { randomOf, shuffle } from "./random.ts";
import type { Target } from "./targets.ts";
import { toleratedDeviations } from "./yardstick.ts";

/** Rounds at most, how many without a gain end the search, and how many where there are too few examples to look. */
const most = 20;
const patience = { several: 1, two: 2, number: 2 } as const;
const blind = 6;
/** Share of the time that goes by before the model that is kept is learnt. */
const before = 0.6;
/** A round must lower the loss by this share to count as a gain. Of several classes the later rounds only make the scores larger, which calibration undoes. */
const gain = { several: 0.03, two: 0.003, number: 0.003 } as const;
/** Scores of all examples above which one fold in four, left out once, has to do for finding the rounds and for calibration. */
const oneFoldAbove = 100_000;

/** What a field is learnt from: the rows that have it, and their targets as the learners take them, by row. */
interface Task {
  readonly rows: Rows;
  readonly features: number;
  readonly members: Int32Array;
  /** Class number, 0 or 1, or the number in standard deviations from the mean. */
  readonly targets: Float64Array;
  readonly classes: number;
  readonly kind: "several" | "two" | "number";
  readonly seed: number;
}

/** Scores of examples, each by a model that had not learnt from it, and how many rounds did best. */
interface OutOfFold {
  readonly rounds: number;
  /** The rows that were scored: all, or one fold of them. */
  readonly scored: Int32Array;
  /** One score per column for each of them. */
  readonly scores: Float32Array;
}

/** Learns one field of the output. `told` hears the share of it that is done. */
export function fitHead(target: Target, rows: Rows, features: number, seed: number, told: (share: number) => void): Head {
  const members = Int32Array.from(target.values.keys()).filter((row) => target.values[row] !== undefined);
  return target.kind === "number"
    ? fitNumber(target, rows, features, members, seed, told)
    : fitClasses(target, rows, features, members, seed, told);
}

function fitClasses(target: Target, rows: Rows, features: number, members: Int32Array, seed: number, told: (share: number) => void): Head {
  const labels = labelsOf(target, members);
  const number = new Map(labels.map((label, at) => [label, at]));
  const targets = Float64Array.from(target.values, (value) => (value === undefined ? -1 : (number.get(value) as number)));
  const bare = { field: target.field.pointer, kind: target.kind as "class" | "boolean", n: members.length, labels, temperature: 1 };
  if (labels.length === 1) return emptyHead({ ...bare, map: identityMap });
  const kind = labels.length === 2 ? "two" : "several";
  const task: Task = { rows, features, members, targets, classes: labels.length, kind, seed };
  const held = outOfFold(task, told);
  const calibrated = held === null ? { temperature: 1, map: identityMap } : calibrate(task, held);
  const learner = learn(task, members, held?.rounds ?? blind, (share) => told(before + (1 - before) * share));
  return headOf({ ...bare, ...calibrated }, learner);
}

/** In an order that the examples' own order has no part in. A boolean's second label is `true`. */
function labelsOf({ values, kind }: Target, members: Int32Array): Scalar[] {
  const distinct = new Set<Scalar>();
  for (const row of members) distinct.add(values[row] as Scalar);
  const labels = [...distinct];
  if (kind === "boolean") return labels.sort((a, b) => Number(a) - Number(b));
  const written = new Map(labels.map((label) => [label, JSON.stringify(label)]));
  return labels.sort((a, b) => ((written.get(a) as string) < (written.get(b) as string) ? -1 : 1));
}

function calibrate(
  { targets, classes, kind }: Task,
  { scored, scores }: OutOfFold,
): { temperature: number; map: ReturnType<typeof fitMap> } {
  const right = new Uint8Array(scored.length);
  const tops = new Float64Array(scored.length);
  if (kind === "two") {
    for (const [at, row] of scored.entries()) {
      tops[at] = scores[at] as number;
      right[at] = targets[row] as number;
    }
    return { temperature: 1, map: fitMap(tops, right) };
  }
  const wanted = Int32Array.from(scored, (row) => targets[row] as number);
  const temperature = Math.max(0.1, Math.min(10, fitTemperature(scores, wanted, classes)));
  const row = new Float64Array(classes);
  for (let at = 0; at < scored.length; at++) {
    for (let c = 0; c < classes; c++) row[c] = scores[at * classes + c] as number;
    softmax(row, temperature);
    const { top, score } = scoreOfTop(row);
    tops[at] = score;
    right[at] = top === wanted[at] ? 1 : 0;
  }
  return { temperature, map: fitMap(tops, right) };
}

function fitNumber(target: Target, rows: Rows, features: number, members: Int32Array, seed: number, told: (share: number) => void): Head {
  const given = Float64Array.from(members, (row) => target.values[row] as number);
  const { mean, deviation } = spread(given);
  const [low, high] = [given.reduce((a, b) => Math.min(a, b)), given.reduce((a, b) => Math.max(a, b))];
  const targets = new Float64Array(target.values.length);
  for (const [at, row] of members.entries()) targets[row] = ((given[at] as number) - mean) / deviation;
  const task: Task = { rows, features, members, targets, classes: 1, kind: "number", seed };
  const held = outOfFold(task, told);
  let near = 0;
  for (const [at, row] of (held?.scored ?? []).entries()) {
    if (Math.abs((held?.scores[at] as number) - (targets[row] as number)) <= toleratedDeviations) near++;
  }
  const learner = learn(task, members, held?.rounds ?? blind, (share) => told(before + (1 - before) * share));
  const hits = held === null ? 0.5 : (near + 1) / (held.scored.length + 2);
  const facts = { field: target.field.pointer, kind: "number", n: members.length, mean, deviation, low, high } as const;
  return headOf({ ...facts, tolerance: toleratedDeviations * deviation, hits }, learner);
}

function headOf(facts: HeadFacts, learner: Learner): Head {
  return { facts, ...quantized(learner.weights, columnsOf(facts)), bias: Float32Array.from(learner.bias) };
}

function emptyHead(facts: HeadFacts): Head {
  return { facts, scales: new Float32Array(0), weights: new Int8Array(0), bias: new Float32Array(0) };
}

function learnerOf({ rows, features, targets, classes, kind }: Task, members: Int32Array): Learner {
  if (kind === "number") return new ScalarLearner(rows, targets, features, "number", 0);
  const counts = new Float64Array(classes).fill(1);
  for (const row of members) counts[targets[row] as number] = (counts[targets[row] as number] as number) + 1;
  const priors = counts.map((count) => count / (members.length + classes));
  if (kind === "several") return new ClassLearner(rows, Int32Array.from(targets), features, priors);
  return new ScalarLearner(rows, targets, features, "logistic", ln((priors[1] as number) / (priors[0] as number)));
}

function learn(task: Task, members: Int32Array, rounds: number, told: (share: number) => void): Learner {
  const learner = learnerOf(task, members);
  const random = randomOf(task.seed);
  const order = Int32Array.from(members);
  for (let round = 0; round < rounds; round++) {
    learner.round(shuffle(order, random));
    told((round + 1) / rounds);
  }
  return learner;
}

/** Learns from all folds but one, for each in turn. The first fold finds how many rounds do best; null: too few examples to look. */
function outOfFold(task: Task, told: (share: number) => void): OutOfFold | null {
  const { members, classes, kind } = task;
  if (members.length < 6) return null;
  const large = members.length * classes > oneFoldAbove;
  const folds = large ? 4 : 5;
  const done = large ? 1 : folds;
  const foldOf = dealt(task, folds);
  const columns = kind === "several" ? classes : 1;
  const parts: { scored: Int32Array; scores: Float32Array }[] = [];
  let rounds = blind;
  for (let fold = 0; fold < done; fold++) {
    const learnt = members.filter((_, at) => foldOf[at] !== fold);
    const scored = members.filter((_, at) => foldOf[at] === fold);
    const scores = new Float32Array(scored.length * columns);
    const part = (share: number): void => told((before * (fold + share)) / done);
    if (fold === 0) rounds = search(task, learnt, scored, scores, part);
    else keepScores(learn(task, learnt, rounds, part), scored, scores);
    parts.push({ scored, scores });
  }
  const scored = new Int32Array(parts.reduce((sum, part) => sum + part.scored.length, 0));
  const scores = new Float32Array(scored.length * columns);
  let at = 0;
  for (const part of parts) {
    scored.set(part.scored, at);
    scores.set(part.scores, at * columns);
    at += part.scored.length;
  }
  return { rounds, scored, scores };
}

/** Learns round by round until the loss of the rows to score no longer falls. Their scores are kept as they were after the best round, which is answered. */
function search(task: Task, learnt: Int32Array, scored: Int32Array, scores: Float32Array, told: (share: number) => void): number {
  const learner = learnerOf(task, learnt);
  const random = randomOf(task.seed);
  const order = Int32Array.from(learnt);
  let [best, bestLoss] = [1, Number.POSITIVE_INFINITY];
  for (let round = 1; round <= most && round - best <= patience[task.kind]; round++) {
    learner.round(shuffle(order, random));
    let loss = 0;
    for (const row of scored) loss += learner.loss(row);
    if (loss < bestLoss * (1 - gain[task.kind]) || round === 1) {
      [best, bestLoss] = [round, loss];
      keepScores(learner, scored, scores);
    }
    told(Math.min(1, round / (blind + 2)));
  }
  return best;
}

function keepScores(learner: Learner, scored: Int32Array, scores: Float32Array): void {
  const row = new Float64Array(learner.bias.length);
  for (const [at, member] of scored.entries()) {
    learner.scores(member, row);
    scores.set(row, at * row.length);
  }
}

/** The fold of each member: dealt out class by class in a random order, so that each fold has its share of every class. */
function dealt({ members, targets, kind, seed }: Task, folds: number): Int32Array {
  const order = shuffle(Int32Array.from(members.keys()), randomOf(seed ^ 0x5eed));
  if (kind !== "number") order.sort((a, b) => (targets[members[a] as number] as number) - (targets[members[b] as number] as number));
  const foldOf = new Int32Array(members.length);
  for (const [place, at] of order.entries()) foldOf[at] = place % folds;
  return foldOf;
}
