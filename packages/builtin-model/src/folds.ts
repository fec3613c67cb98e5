import { fitTemperature } from "./calibration.ts";
import { ln } from "./exact-math.ts";
import { LinearModel, lossOf, type Problem } from "./linear.ts";
import { randomOf, shuffle } from "./random.ts";

// The penalty that does best on examples that were not learnt from, and what those examples score.

/** Scores of examples, each by a model that had not learnt from it. */
export interface OutOfFold {
  readonly lambda: number;
  /** The rows that were scored. */
  readonly scored: Int32Array;
  /** One score per column for each of them. */
  readonly scores: Float32Array;
}

/** Rows that are learnt from, and those of them that stand for examples: names of classes are learnt from in each fold, and scored in none. */
export interface Sample {
  readonly problem: Problem;
  readonly examples: Int32Array;
}

const folds = 10;
/** Folds by which penalties are compared, and which are scored at last: fewer where there are so many scores that they suffice. */
const small = { compared: 3, scored: 10 } as const;
const large = { compared: 1, scored: 2 } as const;
const largeFrom = 100_000;
/** Too few examples to hold any out, and the penalty that is taken then. */
const fewest = 6;
export const blindLambda = { several: 0.1, two: 3, number: 3 } as const;
/** From one penalty that is tried to the next. */
const stride = 3;
const most = 7;
/** A penalty must lower the loss by this share to be better; a heavier one by more, for of several classes it costs right answers before it shows in the loss. */
const gain = { lighter: 0.002, heavier: { several: 0.02, two: 0.002, number: 0.002 } } as const;
const effort = {
  compare: { epochs: 12, tolerance: 0.01 },
  last: { epochs: 20, tolerance: 0.005 },
} as const;

/** Fits all rows to the optimum under a penalty. */
export function fitAll({ problem }: Sample, lambda: number, told: (share: number) => void): LinearModel {
  return fitted(problem, lambda, effort.last, told);
}

function fitted(
  problem: Problem,
  lambda: number,
  how: { epochs: number; tolerance: number },
  told?: (share: number) => void,
): LinearModel {
  const model = new LinearModel(problem, offsetOf(problem));
  model.fit(lambda, how, told);
  return model;
}

/** The log odds of classes by how often they come; each counts once more than it came. */
function offsetOf({ kind, columns, members, targets }: Problem): Float64Array {
  if (kind === "number") return new Float64Array(1);
  const counts = new Float64Array(kind === "two" ? 2 : columns).fill(1);
  for (const row of members) counts[targets[row] as number] = (counts[targets[row] as number] as number) + 1;
  if (kind === "two") return Float64Array.of(ln((counts[1] as number) / (counts[0] as number)));
  return counts.map((count) => ln(count / (members.length + columns)));
}

/** Scores examples by models that have not learnt from them, under the penalty that does best; null: there are too few to hold any out. */
export function outOfFold(sample: Sample, told: (share: number) => void): OutOfFold | null {
  const { problem, examples } = sample;
  if (examples.length < fewest) return null;
  const { compared, scored } = examples.length * problem.columns > largeFrom ? large : small;
  const foldOf = dealt(sample);
  let done = 0;
  const parts = (from: number, to: number, lambda: number): Part[] =>
    Array.from({ length: to - from }, (_, at) => {
      told(Math.min(1, done++ / (compared * 4 + scored)));
      return partOf(sample, foldOf, from + at, lambda);
    });
  const lambda = { value: blindLambda[problem.kind] as number, parts: parts(0, compared, blindLambda[problem.kind]) };
  let best = lossOfParts(problem, lambda.parts);
  for (const [factor, least] of [
    [1 / stride, gain.lighter],
    [stride, gain.heavier[problem.kind]],
  ] as const) {
    let moved = false;
    for (let tried = 0; tried < most; tried++) {
      const next = parts(0, compared, lambda.value * factor);
      const loss = lossOfParts(problem, next);
      if (!(loss < best * (1 - least))) break;
      best = loss;
      lambda.value *= factor;
      lambda.parts = next;
      moved = true;
    }
    if (moved) break;
  }
  return { lambda: lambda.value, ...joined(problem, [...lambda.parts, ...parts(compared, scored, lambda.value)]) };
}

interface Part {
  readonly scored: Int32Array;
  readonly scores: Float32Array;
}

function partOf({ problem, examples }: Sample, foldOf: Int32Array, fold: number, lambda: number): Part {
  const scored = examples.filter((row) => foldOf[row] === fold);
  const members = problem.members.filter((row) => foldOf[row] !== fold);
  const model = fitted({ ...problem, members }, lambda, effort.compare);
  const scores = new Float32Array(scored.length * problem.columns);
  const row = new Float64Array(problem.columns);
  for (const [at, member] of scored.entries()) {
    model.scores(member, row);
    scores.set(row, at * row.length);
  }
  return { scored, scores };
}

function joined({ columns }: Problem, parts: readonly Part[]): Part {
  const scored = new Int32Array(parts.reduce((sum, part) => sum + part.scored.length, 0));
  const scores = new Float32Array(scored.length * columns);
  let at = 0;
  for (const part of parts) {
    scored.set(part.scored, at);
    scores.set(part.scores, at * columns);
    at += part.scored.length;
  }
  return { scored, scores };
}

/** Of several classes at the temperature that fits them best, for that is how they are reported. */
function lossOfParts(problem: Problem, parts: readonly Part[]): number {
  const { scored, scores } = joined(problem, parts);
  const { kind, columns, targets } = problem;
  const wanted = Int32Array.from(scored, (row) => targets[row] as number);
  const temperature = kind === "several" ? fitTemperature(scores, wanted, columns) : 1;
  const row = new Float64Array(columns);
  let sum = 0;
  for (const [at, member] of scored.entries()) {
    for (let c = 0; c < columns; c++) row[c] = (scores[at * columns + c] as number) / temperature;
    sum += lossOf(kind, row, targets[member] as number);
  }
  return sum;
}

/** The fold of each example, by row, −1 for others: dealt out class by class in a random order, so that each fold has its share of every class. */
function dealt({ problem, examples }: Sample): Int32Array {
  const { targets, kind, seed, rows } = problem;
  const order = shuffle(Int32Array.from(examples), randomOf(seed ^ 0x5eed));
  if (kind !== "number") order.sort((a, b) => (targets[a] as number) - (targets[b] as number));
  const foldOf = new Int32Array(rows.starts.length - 1).fill(-1);
  const count = Math.min(folds, examples.length);
  for (const [place, row] of order.entries()) foldOf[row] = place % count;
  return foldOf;
}
