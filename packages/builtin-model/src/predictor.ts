import { type BuiltinArtifact, columnsOf, type Head, type HeadFacts } from "./artifact.ts";
import { Bag } from "./bag.ts";
import { applyMap, scoreOfTop } from "./calibration.ts";
import { FieldReader } from "./fields.ts";
import { type Leaf, leavesOf, type Source } from "./leaves.ts";
import { softmax } from "./linear.ts";
import { noneOf, noveltyOf, strangeness } from "./novelty.ts";
import type { OutputField, Scalar } from "./outputs.ts";
import { groupsOf, Vector } from "./vocabulary.ts";

/** What a model says about one field. */
export interface Prediction {
  readonly value: Scalar;
  /** That `value` is right: for a number, that it is within the tolerance that was learnt. */
  readonly probability: number;
  /** The likeliest classes, `value` first; `null`: a number has none. */
  readonly predictions: readonly ClassProbability[] | null;
  /** That nothing of what was learnt fits, because the input is about something else. */
  readonly none: number;
}

type ClassFacts = Exclude<HeadFacts, { kind: "number" }>;

export interface ClassProbability {
  readonly value: Scalar;
  readonly probability: number;
}

/** Classes that are reported. */
const mostClasses = 5;

/** A leaf that spoke for what was predicted, and how strongly (log odds). */
export interface Reason {
  readonly leaf: Leaf;
  readonly weight: number;
}

/** An example as it was read. */
export interface Reading {
  readonly leaves: readonly Leaf[];
  /** Share of its features that are known. */
  readonly known: number;
  /** How far it lies from what was learnt, from 0 to 1; null: the artifact cannot say. */
  readonly novelty: number | null;
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
  #none = 0;

  constructor(artifact: BuiltinArtifact) {
    this.artifact = artifact;
    this.#reader = new FieldReader(artifact.fields, artifact.scheme);
    this.#groups = groupsOf(artifact.fields.length);
    this.#heads = new Map(artifact.heads.map((head) => [head.facts.field, head]));
  }

  knows(pointer: string): boolean {
    return this.#heads.has(pointer);
  }

  /** Reads an example, which `predict` and `reasons` then speak of until the next one is read. */
  read(source: Source): Reading {
    this.#leaves = leavesOf(source);
    this.#reader.read(this.#leaves, bag);
    vector.read(bag, this.artifact.vocabulary, this.#groups, this.artifact.scheme);
    const { familiarity, vocabulary } = this.artifact;
    const novelty = familiarity && noveltyOf(strangeness(bag, vocabulary, this.#groups, null), familiarity);
    this.#none = novelty === null ? 0 : noneOf(novelty);
    return { leaves: this.#leaves, known: vector.known, novelty };
  }

  /** The value of a field that the schema allows; null: it was not learnt, or none of what was learnt is allowed. */
  predict({ pointer, allowed, integer }: Pick<OutputField, "pointer" | "allowed" | "integer">): Prediction | null {
    const head = this.#heads.get(pointer);
    if (!head) return null;
    const { facts } = head;
    const sure = 1 - this.#none;
    if (facts.kind === "number") {
      const score = scoresOf(head)[0] as number;
      const value = Math.min(facts.high, Math.max(facts.low, facts.mean + facts.deviation * score));
      return {
        value: integer ? Math.round(value) : value,
        probability: facts.hits * sure,
        predictions: null,
        none: this.#none,
      };
    }
    const ranked = classesOf(head, facts, (label) => allowed === null || allowed.includes(label));
    const predictions = ranked.map(({ value, probability }) => ({ value, probability: probability * sure }));
    return predictions[0] ? { ...predictions[0], predictions, none: this.#none } : null;
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

/** The likeliest of the classes that may be given, with the probability of each. */
function classesOf(head: Head, facts: ClassFacts, may: (label: Scalar) => boolean): ClassProbability[] {
  const { labels, n, map } = facts;
  const certain = (p: number): number => Math.min(1 - 1 / (n + 2), Math.max(1 / (n + 2), p));
  const allowed = [...labels.keys()].filter((at) => may(labels[at] as Scalar));
  const tell = (at: number, p: number): ClassProbability => ({ value: labels[at] as Scalar, probability: p });
  if (labels.length === 1) return allowed.map((at) => tell(at, certain(1)));
  const scores = scoresOf(head);
  if (labels.length === 2) {
    const second = certain(applyMap(map, scores[0] as number));
    return allowed
      .map((at) => tell(at, at === 1 ? second : 1 - second))
      .sort((a, b) => b.probability - a.probability || (a.value === labels[1] ? -1 : 1));
  }
  const kept = Float64Array.from(allowed, (at) => scores[at] as number);
  if (kept.length === 0) return [];
  softmax(kept, facts.temperature);
  const { top, score } = scoreOfTop(kept);
  const first = certain(applyMap(map, score));
  const behind = [...kept.keys()]
    .filter((at) => at !== top)
    .sort((a, b) => (kept[b] as number) - (kept[a] as number) || a - b);
  const rest = behind.reduce((sum, at) => sum + (kept[at] as number), 0);
  // What the map takes from the likeliest goes to the others in their own proportion.
  const others = behind.slice(0, mostClasses - 1).map((at) => {
    const share = rest > 0 ? (kept[at] as number) / rest : 1 / behind.length;
    return tell(allowed[at] as number, Math.min(first, (1 - first) * share));
  });
  return [tell(allowed[top] as number, first), ...others];
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
