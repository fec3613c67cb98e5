import { columnsOf, type Head, type HeadFacts, quantized } from "./artifact.ts";
import { fitMap, fitTemperature, identityMap, scoreOfTop } from "./calibration.ts";
import type { Rows } from "./dataset.ts";
import { spread } from "./fields.ts";
import { blindLambda, fitAll, type OutOfFold, outOfFold, type Sample } from "./folds.ts";
import { type LinearModel, type Problem, softmax } from "./linear.ts";
import type { Scalar } from "./outputs.ts";
import type { Target } from "./targets.ts";
import { toleratedDeviations } from "./yardstick.ts";

/** Share of the time that goes by before the model that is kept is learnt. */
const before = 0.8;
/** Examples that the name of a class counts as. Measured from 500 and 2,000 customer questions: 1 and 4 do about as well. */
const weightOfName = 2;

/** What fields are learnt from: rows of examples, then those of names of classes. */
export interface Material {
  readonly rows: Rows;
  readonly features: number;
  readonly seed: number;
}

/** The names of a target's classes; `first` is the row of the first one. */
export interface Names {
  readonly first: number;
  readonly labels: readonly Scalar[];
}

/** Learns one field of the output. `told` hears the share of it that is done. */
export function fitHead(target: Target, names: Names, material: Material, told: (share: number) => void): Head {
  const examples = Int32Array.from(target.values.keys()).filter((row) => target.values[row] !== undefined);
  return target.kind === "number"
    ? fitNumber(target, examples, material, told)
    : fitClasses(target, names, examples, material, told);
}

function fitClasses(
  target: Target,
  names: Names,
  examples: Int32Array,
  material: Material,
  told: (share: number) => void,
): Head {
  const labels = labelsOf(target, examples);
  const bare = {
    field: target.field.pointer,
    kind: target.kind as "class" | "boolean",
    n: examples.length,
    labels,
    temperature: 1,
  };
  if (labels.length === 1) return emptyHead({ ...bare, map: identityMap });
  const sample = sampleOfClasses(target, labels, names, examples, material);
  const held = outOfFold(sample, (share) => told(before * share));
  const calibrated = held === null ? { temperature: 1, map: identityMap } : calibrate(sample.problem, held);
  const lambda = held?.lambda ?? blindLambda[sample.problem.kind];
  return headOf(
    { ...bare, ...calibrated },
    fitAll(sample, lambda, (share) => told(before + (1 - before) * share)),
  );
}

function sampleOfClasses(
  target: Target,
  labels: readonly Scalar[],
  names: Names,
  examples: Int32Array,
  material: Material,
): Sample {
  const number = new Map(labels.map((label, at) => [label, at]));
  const count = material.rows.starts.length - 1;
  const targets = new Float64Array(count).fill(-1);
  const weights = new Float32Array(count).fill(1);
  for (const row of examples) targets[row] = number.get(target.values[row] as Scalar) as number;
  const named = Int32Array.from(names.labels.keys(), (at) => names.first + at);
  for (const [at, row] of named.entries()) {
    targets[row] = number.get(names.labels[at] as Scalar) as number;
    weights[row] = weightOfName;
  }
  const several = labels.length > 2;
  const kind = several ? "several" : "two";
  const members = Int32Array.from([...examples, ...named]);
  return { examples, problem: { ...material, members, targets, weights, kind, columns: several ? labels.length : 1 } };
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
  { targets, columns, kind }: Problem,
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
  const temperature = Math.max(0.1, Math.min(10, fitTemperature(scores, wanted, columns)));
  const row = new Float64Array(columns);
  for (let at = 0; at < scored.length; at++) {
    for (let c = 0; c < columns; c++) row[c] = scores[at * columns + c] as number;
    softmax(row, temperature);
    const { top, score } = scoreOfTop(row);
    tops[at] = score;
    right[at] = top === wanted[at] ? 1 : 0;
  }
  return { temperature, map: fitMap(tops, right) };
}

function fitNumber(target: Target, examples: Int32Array, material: Material, told: (share: number) => void): Head {
  const given = Float64Array.from(examples, (row) => target.values[row] as number);
  const { mean, deviation } = spread(given);
  const [low, high] = [given.reduce((a, b) => Math.min(a, b)), given.reduce((a, b) => Math.max(a, b))];
  const count = material.rows.starts.length - 1;
  const targets = new Float64Array(count);
  for (const [at, row] of examples.entries()) targets[row] = ((given[at] as number) - mean) / deviation;
  const weights = new Float32Array(count).fill(1);
  const sample: Sample = {
    examples,
    problem: { ...material, members: examples, targets, weights, kind: "number", columns: 1 },
  };
  const held = outOfFold(sample, (share) => told(before * share));
  let near = 0;
  for (const [at, row] of (held?.scored ?? []).entries()) {
    if (Math.abs((held?.scores[at] as number) - (targets[row] as number)) <= toleratedDeviations) near++;
  }
  const model = fitAll(sample, held?.lambda ?? blindLambda.number, (share) => told(before + (1 - before) * share));
  const hits = held === null ? 0.5 : (near + 1) / (held.scored.length + 2);
  const facts = {
    field: target.field.pointer,
    kind: "number",
    n: examples.length,
    mean,
    deviation,
    low,
    high,
  } as const;
  return headOf({ ...facts, tolerance: toleratedDeviations * deviation, hits }, model);
}

function headOf(facts: HeadFacts, model: LinearModel): Head {
  return { facts, ...quantized(model.weights, columnsOf(facts)), bias: Float32Array.from(model.bias) };
}

function emptyHead(facts: HeadFacts): Head {
  return { facts, scales: new Float32Array(0), weights: new Int8Array(0), bias: new Float32Array(0) };
}
