import type { Bag } from "./bag.ts";
import { dampened } from "./fields.ts";
import type { TextScheme } from "./grams.ts";

/** The features that a model knows: where each stands in its tables, by an open hash table over typed arrays. */
export class Vocabulary {
  /** Ascending, without repeats. */
  readonly hashes: Uint32Array;
  /** By feature: how much its occurrence in a text says, ln(n / number of examples that have it). */
  readonly idf: Float32Array;
  readonly highestIdf: number;
  readonly #slots: Int32Array;
  readonly #mask: number;

  constructor(hashes: Uint32Array, idf: Float32Array) {
    this.hashes = hashes;
    this.idf = idf;
    this.highestIdf = idf.reduce((a, b) => Math.max(a, b), 0) || 1;
    let size = 4;
    while (size < hashes.length * 2) size *= 2;
    this.#mask = size - 1;
    this.#slots = new Int32Array(size).fill(-1);
    for (let at = 0; at < hashes.length; at++) {
      let slot = this.#slotOf(hashes[at] as number);
      while (this.#slots[slot] !== -1) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = at;
    }
  }

  #slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.#mask;
  }

  /** Where a feature stands; -1: unknown. */
  find(hash: number): number {
    let slot = this.#slotOf(hash);
    for (;;) {
      const at = this.#slots[slot] as number;
      if (at === -1 || this.hashes[at] === hash) return at;
      slot = (slot + 1) & this.#mask;
    }
  }
}

/** An example as a model sees it: the known features, their values, and the leaves that they came from. Reused from one example to the next. */
export class Vector {
  size = 0;
  readonly features = new Int32Array(1 << 16);
  readonly values = new Float64Array(1 << 16);
  readonly leaves = new Int32Array(1 << 16);
  /** Share of the example's features that the model knows, from 0 to 1. */
  known = 0;
  readonly #groups = new Int32Array(1 << 16);
  #squares = new Float64Array(64);

  /** Reads a bag: texts are weighted by (1 + ln count) · idf and scaled to unit length, words and characters each; everything else counts as it is. */
  read(bag: Bag, vocabulary: Vocabulary, groups: number, { reach, whole }: TextScheme): void {
    if (this.#squares.length < groups) this.#squares = new Float64Array(groups);
    this.#squares.fill(0);
    this.size = 0;
    for (let at = 0; at < bag.size; at++) {
      const feature = vocabulary.find(bag.hashes[at] as number);
      const group = bag.groups[at] as number;
      let value = bag.amounts[at] as number;
      if (group > 0 && (feature >= 0 || whole)) {
        value = dampened(value) * (feature >= 0 ? (vocabulary.idf[feature] as number) : vocabulary.highestIdf);
        this.#squares[group] = (this.#squares[group] as number) + value * value;
      }
      if (feature === -1) continue;
      this.features[this.size] = feature;
      this.values[this.size] = value;
      this.leaves[this.size] = bag.leaves[at] as number;
      this.#groups[this.size] = group;
      this.size++;
    }
    this.known = bag.size === 0 ? 0 : this.size / bag.size;
    for (let group = 0; group < groups; group++)
      this.#squares[group] =
        (Math.sqrt(this.#squares[group] as number) || 1) / (group > 0 && group % 2 === 0 ? reach : 1);
    for (let at = 0; at < this.size; at++) {
      const group = this.#groups[at] as number;
      if (group > 0) this.values[at] = (this.values[at] as number) / (this.#squares[group] as number);
    }
  }
}

/** Groups that the features of so many fields belong to: none, and two for each. */
export function groupsOf(fields: number): number {
  return 2 * fields + 3;
}
