import type { Bag } from "./bag.ts";
import { ln } from "./exact-math.ts";
import { addText, hashText, mixed, type TextScheme } from "./grams.ts";
import { type Leaf, numberIn } from "./leaves.ts";

// What a model reads of an example: the fields that its examples had, each as text, as a category or as a number. The data decide which.

/** A field of the input or of a record, by its {@link Leaf.key}. */
export type Field =
  | { readonly key: string; readonly kind: "text" | "category" }
  | {
      readonly key: string;
      readonly kind: "number";
      /** Lower bounds of all bins but the first, ascending. */
      readonly edges: readonly number[];
      /** Of the numbers themselves, and of their logarithms with sign. */
      readonly mean: number;
      readonly deviation: number;
      readonly log_mean: number;
      readonly log_deviation: number;
    };

/** Fields of one model at most; a hostile example could name any number. */
const mostFields = 2_000;
/** Distinct values of a field that are counted; more count as so many. */
const mostDistinct = 5_000;
const mostBins = 16;

interface Tally {
  present: number;
  numbers: number[];
  words: number;
  readonly distinct: Set<string>;
}

/** Decides which fields a model reads, and how, from the leaves of its examples. */
export function planFields(examples: readonly (readonly Leaf[])[]): Field[] {
  const tallies = new Map<string, Tally>();
  for (const leaves of examples) for (const leaf of leaves) count(tallies, leaf);
  const fields: Field[] = [];
  for (const [key, tally] of tallies) {
    const field = decide(key, tally);
    if (field) fields.push(field);
  }
  return fields;
}

function count(tallies: Map<string, Tally>, { key, value }: Leaf): void {
  let tally = tallies.get(key);
  if (!tally) {
    if (tallies.size >= mostFields) return;
    tally = { present: 0, numbers: [], words: 0, distinct: new Set() };
    tallies.set(key, tally);
  }
  tally.present++;
  const number = numberIn(value);
  if (number !== null) tally.numbers.push(number);
  const text = String(value);
  tally.words += gaps(text) + 1;
  if (tally.distinct.size < mostDistinct) tally.distinct.add(text.slice(0, 200));
}

function gaps(text: string): number {
  let found = 0;
  for (let i = 1; i + 1 < text.length; i++) if (text.charCodeAt(i) === 0x20 && text.charCodeAt(i - 1) !== 0x20) found++;
  return found;
}

/** Numbers are numbers; what reads like sentences and repeats little is text; what is nearly always different and a single word names things: nothing. */
function decide(key: string, { present, numbers, words, distinct }: Tally): Field | null {
  if (numbers.length === present && distinct.size > 2) return numberField(key, numbers);
  const perValue = words / present;
  const varied = distinct.size > Math.min(50, present / 2);
  if (varied && perValue >= 2) return { key, kind: "text" };
  return present >= 20 && distinct.size > present * 0.5 ? null : { key, kind: "category" };
}

function numberField(key: string, numbers: number[]): Field {
  const sorted = Float64Array.from(numbers).sort();
  const edges: number[] = [];
  const distinct = [...new Set(sorted)];
  const inner = distinct.length <= mostBins ? distinct.slice(1) : quantiles(sorted);
  for (const edge of inner) if (edge !== edges.at(-1) && edge > (sorted[0] as number)) edges.push(edge);
  const raw = spread(sorted);
  const logs = spread(sorted.map(signedLog));
  return {
    key,
    kind: "number",
    edges,
    mean: raw.mean,
    deviation: raw.deviation,
    log_mean: logs.mean,
    log_deviation: logs.deviation,
  };
}

function quantiles(sorted: Float64Array): number[] {
  return Array.from(
    { length: mostBins - 1 },
    (_, bin) => sorted[Math.floor((sorted.length * (bin + 1)) / mostBins)] as number,
  );
}

/** Mean and standard deviation (divided by n). The deviation is 1 where all values are the same, or too large to square. */
export function spread(values: ArrayLike<number>): { mean: number; deviation: number } {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  const mean = Number.isFinite(sum) && values.length > 0 ? sum / values.length : 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += ((values[i] as number) - mean) ** 2;
  const deviation = Math.sqrt(squares / Math.max(1, values.length));
  return { mean, deviation: Number.isFinite(deviation) && deviation > 0 ? deviation : 1 };
}

function signedLog(x: number): number {
  const log = ln(1 + Math.abs(x));
  return x < 0 ? -log : log;
}

interface Known {
  readonly field: Field;
  readonly at: number;
  readonly seed: number;
}

/** Turns leaves into hashed features by a plan. */
export class FieldReader {
  readonly #known = new Map<string, Known>();
  readonly #missing: Uint32Array;
  readonly #seen: Uint8Array;

  readonly #scheme: TextScheme;

  constructor(fields: readonly Field[], scheme: TextScheme) {
    this.#scheme = scheme;
    this.#missing = new Uint32Array(fields.length);
    this.#seen = new Uint8Array(fields.length);
    for (const [at, field] of fields.entries()) {
      const seed = hashText(field.key);
      this.#known.set(field.key, { field, at, seed });
      this.#missing[at] = mixed(seed ^ 0x3c6ef372);
    }
  }

  /** Fills the bag with the features of an example; fields that the plan does not know are passed over. */
  read(leaves: readonly Leaf[], bag: Bag): void {
    this.#seen.fill(0);
    this.readPart(leaves, bag);
    for (let at = 0; at < this.#seen.length; at++)
      if (this.#seen[at] === 0) bag.add(this.#missing[at] as number, 1, 0, -1);
  }

  /** As `read`, of an example of which only a part is there: nothing counts as missing. */
  readPart(leaves: readonly Leaf[], bag: Bag): void {
    bag.empty();
    for (const [number, leaf] of leaves.entries()) {
      const known = this.#known.get(leaf.key);
      if (!known) continue;
      this.#seen[known.at] = 1;
      addLeaf(bag, leaf.value, known, number, this.#scheme);
    }
  }
}

function addLeaf(bag: Bag, value: Leaf["value"], { field, at, seed }: Known, leaf: number, scheme: TextScheme): void {
  if (field.kind === "text") {
    addText(bag, String(value), seed, 2 * at + 1, leaf, scheme);
    return;
  }
  const number = numberIn(value);
  if (field.kind !== "number" || number === null) {
    bag.add(hashText(typeof value === "string" ? value.trim() : String(value), seed ^ 0x1b873593), 1, 0, leaf);
    return;
  }
  let bin = 0;
  while (bin < field.edges.length && number >= (field.edges[bin] as number)) bin++;
  bag.add(mixed(seed ^ 0x6a09e667 ^ Math.imul(bin + 1, 0x9e3779b1)), 1, 0, leaf);
  bag.add(mixed(seed ^ 0x510e527f), clip((number - field.mean) / field.deviation), 0, leaf);
  bag.add(mixed(seed ^ 0x1f83d9ab), clip((signedLog(number) - field.log_mean) / field.log_deviation), 0, leaf);
}

function clip(x: number): number {
  return x > 3 ? 3 : x < -3 ? -3 : x;
}

/** 1 + ln n, by which the n-th occurrence of a word counts less than the first. */
export function dampened(n: number): number {
  return n <= 1 ? 1 : 1 + ln(n);
}
