import { Bag } from "./bag.ts";
import { ln } from "./exact-math.ts";
import { type Field, FieldReader } from "./fields.ts";
import type { Leaf } from "./leaves.ts";
import { groupsOf, Vector, Vocabulary } from "./vocabulary.ts";

/** Examples as sparse rows: those of row `i` stand from `starts[i]` up to `starts[i + 1]`. */
export interface Rows {
  readonly starts: Int32Array;
  readonly features: Int32Array;
  readonly values: Float32Array;
}

export interface Encoded {
  readonly vocabulary: Vocabulary;
  readonly rows: Rows;
}

/** Features that a model knows at most; the rarest give way. */
const mostFeatures = 1 << 18;
/** Entries of all rows at most: 1 GB. Texts of a million examples must be drawn from, not taken whole. */
const mostEntries = 1 << 27;

/** More examples than fit: the remedy stands in the message. */
export class TooManyExamples extends Error {}

/**
 * Learns the vocabulary of examples and turns them into rows. A feature must come in two examples where there are fifty or more, and tell some from others: what
 * all examples have is left out. `most` bounds the vocabulary besides.
 */
export function encode(
  examples: readonly (readonly Leaf[])[],
  fields: readonly Field[],
  most: number,
  seen: (share: number) => void,
): Encoded {
  const reader = new FieldReader(fields);
  const bag = new Bag();
  const frequency = new Frequencies();
  let entries = 0;
  for (const [at, leaves] of examples.entries()) {
    reader.read(leaves, bag);
    for (let i = 0; i < bag.size; i++) frequency.add(bag.hashes[i] as number);
    entries += bag.size;
    if (entries > mostEntries) throw new TooManyExamples("The examples hold more text than a training takes; send fewer, or shorter ones.");
    if (at % 500 === 0) seen((0.5 * at) / examples.length);
  }
  const vocabulary = chosen(frequency, examples.length, Math.min(most, mostFeatures));
  return { vocabulary, rows: rowsOf(examples, reader, bag, vocabulary, entries, groupsOf(fields.length), seen) };
}

function rowsOf(
  examples: readonly (readonly Leaf[])[],
  reader: FieldReader,
  bag: Bag,
  vocabulary: Vocabulary,
  entries: number,
  groups: number,
  seen: (share: number) => void,
): Rows {
  const starts = new Int32Array(examples.length + 1);
  const features = new Int32Array(entries);
  const values = new Float32Array(entries);
  const vector = new Vector();
  let end = 0;
  for (const [at, leaves] of examples.entries()) {
    reader.read(leaves, bag);
    vector.read(bag, vocabulary, groups);
    for (let i = 0; i < vector.size; i++) {
      features[end] = vector.features[i] as number;
      values[end] = vector.values[i] as number;
      end++;
    }
    starts[at + 1] = end;
    if (at % 500 === 0) seen(0.5 + (0.5 * at) / examples.length);
  }
  return { starts, features: features.slice(0, end), values: values.slice(0, end) };
}

function chosen(frequency: Frequencies, examples: number, most: number): Vocabulary {
  const least = examples >= 50 ? 2 : 1;
  let known = frequency.entries().filter(([, n]) => n >= least && n < examples);
  if (known.length > most) known = known.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most);
  known.sort((a, b) => a[0] - b[0]);
  const hashes = Uint32Array.from(known, ([hash]) => hash);
  return new Vocabulary(
    hashes,
    Float32Array.from(known, ([, n]) => ln(examples / n)),
  );
}

/** In how many examples each feature came: an open hash table that grows. */
class Frequencies {
  #hashes = new Uint32Array(1 << 16);
  #counts = new Int32Array(1 << 16);
  #size = 0;

  add(hash: number): void {
    const slot = this.#slotOf(hash);
    if (this.#counts[slot] === 0) {
      this.#hashes[slot] = hash;
      this.#size++;
    }
    this.#counts[slot] = (this.#counts[slot] as number) + 1;
    if (this.#size * 2 > this.#counts.length) this.#grow();
  }

  #slotOf(hash: number): number {
    const mask = this.#counts.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#counts[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [hashes, counts] = [this.#hashes, this.#counts];
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#counts = new Int32Array(counts.length * 2);
    for (let at = 0; at < hashes.length; at++) {
      if (counts[at] === 0) continue;
      const slot = this.#slotOf(hashes[at] as number);
      this.#hashes[slot] = hashes[at] as number;
      this.#counts[slot] = counts[at] as number;
    }
  }

  entries(): [hash: number, examples: number][] {
    const found: [number, number][] = [];
    for (let at = 0; at < this.#counts.length; at++) {
      if (this.#counts[at] !== 0) found.push([this.#hashes[at] as number, this.#counts[at] as number]);
    }
    return found;
  }
}
