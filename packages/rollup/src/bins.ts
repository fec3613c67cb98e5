import { DDSketch } from "@datadog/sketches-js";

// Bins of DDSketch (Masson, Rim, Lee: DDSketch, VLDB 2019) with a relative error of 1 %: a value above 0 is in the bin of its logarithm.

const { mapping } = new DDSketch({ relativeAccuracy: 0.01 });

/** The bin of values that are not above 0. Whole numbers above 0 are in bins from 0 on. */
export const zeroBin = -1;

/** The bin of a whole number. */
export function binOf(value: number): number {
  return value >= 1 ? mapping.key(value) : zeroBin;
}

/** The value that stands for all of a bin, at most 1 % from each. */
export function valueOfBin(bin: number): number {
  return bin === zeroBin ? 0 : mapping.value(bin);
}

/** The bin of a score in ten thousandths by its tenth, 0 to 9. */
export function tenthOf(score: number): number {
  return Math.max(0, Math.min(9, Math.floor(score / 1_000)));
}

/** How often bins were hit. */
export class Histogram {
  #lowest = 0;
  #counts = new Float64Array(0);

  add(bin: number, count: number): void {
    const at = bin - this.#lowest;
    if (at >= 0 && at < this.#counts.length) this.#counts[at] = (this.#counts[at] as number) + count;
    else this.#extend(bin, count);
  }

  #extend(bin: number, count: number): void {
    const empty = this.#counts.length === 0;
    const lowest = empty ? bin : Math.min(bin, this.#lowest - 32);
    const first = empty || bin < this.#lowest ? lowest : this.#lowest;
    const end = Math.max(bin + 16, this.#lowest + this.#counts.length);
    const counts = new Float64Array(end - first);
    if (!empty) counts.set(this.#counts, this.#lowest - first);
    [this.#lowest, this.#counts] = [first, counts];
    counts[bin - first] = (counts[bin - first] as number) + count;
  }

  addAll(other: Histogram): void {
    for (const [bin, count] of other.hits()) this.add(bin, count);
  }

  /** Bins that were hit, and how often, in order. */
  *hits(): Generator<[bin: number, count: number]> {
    for (let index = 0; index < this.#counts.length; index++) {
      const count = this.#counts[index] as number;
      if (count !== 0) yield [this.#lowest + index, count];
    }
  }

  get(bin: number): number {
    return this.#counts[bin - this.#lowest] ?? 0;
  }

  get total(): number {
    let sum = 0;
    for (let index = 0; index < this.#counts.length; index++) sum += this.#counts[index] as number;
    return sum;
  }

  /** The value at a quantile, as DDSketch has it: the one at rank `at · (n − 1)`, rounded down. Null: nothing was counted. */
  quantile(at: number): number | null {
    const rank = at * (this.total - 1);
    let passed = 0;
    for (let index = 0; index < this.#counts.length; index++) {
      const count = this.#counts[index] as number;
      passed += count;
      if (count !== 0 && passed > rank) return valueOfBin(this.#lowest + index);
    }
    return null;
  }
}
