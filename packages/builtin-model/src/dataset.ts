import { Bag } from "./bag.ts";
import { ln } from "./exact-math.ts";
import { type Field, FieldReader } from "./fields.ts";
import type { TextScheme } from "./grams.ts";
import type { Leaf } from "./leaves.ts";
import { type Familiarity, familiarityOf, strangeness } from "./novelty.ts";
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
  readonly familiarity: Familiarity;
}

/** Features that a model knows at most; the rarest give way. */
const mostFeatures = 1 << 18;
/** Entries of all rows at most: 1 GB. Texts of a million examples must be drawn from, not taken whole. */
const mostEntries = 1 << 27;

/** From how many examples on a feature must come in two of them: before, each one that is left out costs accuracy. */
const enoughForRepeats = 4_000;

/** More examples than fit: the remedy stands in the message. */
export class TooManyExamples extends Error {}

/**
 * Learns the vocabulary of examples and turns them into rows. A feature must come in two examples where there are many, and tell some from others: what
 * all examples have is left out. `most` bounds the vocabulary besides. `names` are read as examples of which only a part is there; their rows follow.
 */
export function encode(
  examples: readonly (readonly Leaf[])[],
  names: readonly (readonly Leaf[])[],
  fields: readonly Field[],
  scheme: TextScheme,
  most: number,
  seen: (share: number) => void,
): Encoded {
  const reader = new FieldReader(fields, scheme);
  const all = [...examples, ...names];
  const read = (at: number): void => {
    if (at < examples.length) reader.read(all[at] as readonly Leaf[], bag);
    else reader.readPart(all[at] as readonly Leaf[], bag);
  };
  const bag = new Bag();
  const frequency = new Frequencies();
  let entries = 0;
  for (let at = 0; at < all.length; at++) {
    read(at);
    for (let i = 0; i < bag.size; i++) frequency.add(bag.hashes[i] as number);
    entries += bag.size;
    if (entries > mostEntries)
      throw new TooManyExamples("The examples hold more text than a training takes; send fewer, or shorter ones.");
    if (at % 500 === 0) seen((0.5 * at) / all.length);
  }
  const { vocabulary, own } = chosen(frequency, all.length, Math.min(most, mostFeatures));
  const rows = new RowWriter(all.length, entries);
  const vector = new Vector();
  const groups = groupsOf(fields.length);
  const strange = new Float64Array(examples.length);
  for (let at = 0; at < all.length; at++) {
    read(at);
    vector.read(bag, vocabulary, groups, scheme);
    rows.add(vector);
    if (at < examples.length) strange[at] = strangeness(bag, vocabulary, groups, own);
    if (at % 500 === 0) seen(0.5 + (0.5 * at) / all.length);
  }
  return { vocabulary, rows: rows.done(), familiarity: familiarityOf(strange) };
}

class RowWriter {
  readonly #starts: Int32Array;
  readonly #features: Int32Array;
  readonly #values: Float32Array;
  #rows = 0;
  #end = 0;

  constructor(rows: number, entries: number) {
    this.#starts = new Int32Array(rows + 1);
    this.#features = new Int32Array(entries);
    this.#values = new Float32Array(entries);
  }

  add({ size, features, values }: Vector): void {
    for (let i = 0; i < size; i++) {
      this.#features[this.#end] = features[i] as number;
      this.#values[this.#end++] = values[i] as number;
    }
    this.#starts[++this.#rows] = this.#end;
  }

  done(): Rows {
    return {
      starts: this.#starts,
      features: this.#features.slice(0, this.#end),
      values: this.#values.slice(0, this.#end),
    };
  }
}

/** The vocabulary, and which of its features an example that has them would not find in it if the example were not there. */
function chosen(frequency: Frequencies, examples: number, most: number): { vocabulary: Vocabulary; own: Uint8Array } {
  const least = examples >= enoughForRepeats ? 2 : 1;
  let known = frequency.entries().filter(([, n]) => n >= least && n < examples);
  if (known.length > most) known = known.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most);
  known.sort((a, b) => a[0] - b[0]);
  const hashes = Uint32Array.from(known, ([hash]) => hash);
  const idf = Float32Array.from(known, ([, n]) => Math.sqrt(ln(examples / n)));
  return { vocabulary: new Vocabulary(hashes, idf), own: Uint8Array.from(known, ([, n]) => (n === least ? 1 : 0)) };
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
