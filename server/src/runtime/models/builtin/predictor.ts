import { type BuiltinArtifact, columnsOf, type Head } from "./artifact.ts";
import { Bag } from "./bag.ts";
import { applyMap, scoreOfTop } from "./calibration.ts";
import { FieldReader } from "./fields.ts";
import { type Leaf, leavesOf, type Source } from "./leaves.ts";
import { softmax } from "./linear.ts";
import type { OutputField, Scalar } from "./outputs.ts";
import { groupsOf, Vector } from "./vocabulary.ts";

/** What a model says about one field. */
export interface Prediction {
  readonly value: Scalar;
  /** That `value` is right: for a number, that it is within the tolerance that was learnt. */
  readonly probability: number;
}

/** A leaf that spoke for what was predicted, and how strongly (log odds). */
export interface Reason {
  readonly leaf: Leaf;
  readonly weight: number;
}

/** Shared by all predictions of a process: each begins and ends within one turn of the event loop. */
const bag = new Bag();
const vector = new Vector();

/** Predicts the fields that an artifact has learnt. */
export class Predictor {
  readonly artifact: BuiltinArtifact;
  readonly #reader: FieldReader;
  readonly #groups: number;
  readonly #heads: ReadonlyMap<string, Head>;
  #leaves: readonly Leaf[] = [];

  constructor(artifact: BuiltinArtifact) {
    this.artifact = artifact;
    this.#reader = new FieldReader(artifact.fields, artifact.scheme);
    this.#groups = groupsOf(artifact.fields.length);
    this.#heads = new Map(artifact.heads.map((head) => [head.facts.field, head]));
  }

  knows(pointer: string): boolean {
    return this.#heads.has(pointer);
  }

  /** Reads an example, which `predict` and `reasons` then speak of until the next one is read. Answers its leaves and the share of its features that are known. */
  read(source: Source): { readonly leaves: readonly Leaf[]; readonly known: number } {
    this.#leaves = leavesOf(source);
    this.#reader.read(this.#leaves, bag);
    vector.read(bag, this.artifact.vocabulary, this.#groups, this.artifact.scheme);
    return { leaves: this.#leaves, known: vector.known };
  }

  /** The value of a field that the schema allows; null: it was not learnt, or none of what was learnt is allowed. */
  predict({ pointer, allowed, integer }: Pick<OutputField, "pointer" | "allowed" | "integer">): Prediction | null {
    const head = this.#heads.get(pointer);
    if (!head) return null;
    const { facts } = head;
    const scores = scoresOf(head);
    if (facts.kind === "number") {
      const value = Math.min(facts.high, Math.max(facts.low, facts.mean + facts.deviation * (scores[0] as number)));
      return { value: integer ? Math.round(value) : value, probability: facts.hits };
    }
    const may = (label: Scalar): boolean => allowed === null || allowed.includes(label);
    const certain = (p: number): number => Math.min(1 - 1 / (facts.n + 2), Math.max(1 / (facts.n + 2), p));
    if (facts.labels.length === 1)
      return may(facts.labels[0] as Scalar) ? { value: facts.labels[0] as Scalar, probability: certain(1) } : null;
    if (facts.labels.length === 2) {
      const second = applyMap(facts.map, scores[0] as number);
      const [one, other] = facts.labels as readonly [Scalar, Scalar];
      if (may(other) && (second >= 0.5 || !may(one))) return { value: other, probability: certain(second) };
      return may(one) ? { value: one, probability: certain(1 - second) } : null;
    }
    for (const [at, label] of facts.labels.entries()) if (!may(label)) scores[at] = Number.NEGATIVE_INFINITY;
    if (!scores.some(Number.isFinite)) return null;
    softmax(scores, facts.temperature);
    const { top, score } = scoreOfTop(scores);
    return { value: facts.labels[top] as Scalar, probability: certain(applyMap(facts.map, score)) };
  }

  /** The leaves that spoke most for a predicted value, the strongest first. */
  reasons(pointer: string, value: Scalar): Reason[] {
    const head = this.#heads.get(pointer);
    if (!head || head.facts.kind === "number") return [];
    const { labels } = head.facts;
    const columns = columnsOf(head.facts);
    const column = columns === 1 ? 0 : labels.indexOf(value);
    if (columns === 0 || column < 0) return [];
    const sign = columns === 1 && labels[0] === value ? -1 : 1;
    const sums = new Float64Array(this.#leaves.length);
    for (let at = 0; at < vector.size; at++) {
      const leaf = vector.leaves[at] as number;
      if (leaf < 0) continue;
      const base = (vector.features[at] as number) * columns;
      const scale = (head.scales[vector.features[at] as number] as number) * (vector.values[at] as number);
      sums[leaf] = (sums[leaf] as number) + sign * scale * (head.weights[base + column] as number);
    }
    return [...sums.entries()]
      .filter(([, weight]) => weight > 0)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .map(([at, weight]) => ({ leaf: this.#leaves[at] as Leaf, weight }));
  }
}

function scoresOf(head: Head): Float64Array {
  const { weights, scales, bias } = head;
  const scores = Float64Array.from(bias);
  const columns = scores.length;
  if (columns === 0) return scores;
  for (let i = 0; i < vector.size; i++) {
    const feature = vector.features[i] as number;
    const value = (vector.values[i] as number) * (scales[feature] as number);
    let at = feature * columns;
    for (let c = 0; c < columns; c++, at++) scores[c] = (scores[c] as number) + value * (weights[at] as number);
  }
  return scores;
}
