import type { Bag } from "./bag.ts";
import type { Vocabulary } from "./vocabulary.ts";

// How far an input lies from what was learnt, by how much of it the model has never seen. Measured with banking questions against abstracts on aerodynamics, records
// of leads and everyday requests, this tells them apart better than the scores of the classes do.

/** How strange the examples were to a model that had not learnt from them. */
export interface Familiarity {
  /** The median. */
  readonly typical: number;
  /** The 95th percentile. */
  readonly high: number;
}

/** Distance of the two at least: where nothing new ever came, one new value is not yet another world. */
const leastSpread = 0.05;

/**
 * Share of an input that is unknown, from 0 to 1: the mean over its texts, words and characters apart and rare ones weighing more, and over its other values.
 * `own`: features that only the example itself has brought, which do not count as known.
 */
export function strangeness(bag: Bag, vocabulary: Vocabulary, groups: number, own: Uint8Array | null): number {
  const unknown = new Float64Array(groups);
  const total = new Float64Array(groups);
  for (let at = 0; at < bag.size; at++) {
    const group = bag.groups[at] as number;
    const feature = vocabulary.find(bag.hashes[at] as number);
    const known = feature >= 0 && own?.[feature] !== 1;
    const idf = known ? (vocabulary.idf[feature] as number) : vocabulary.highestIdf;
    const mass = group === 0 ? 1 : idf * idf;
    total[group] = (total[group] as number) + mass;
    if (!known) unknown[group] = (unknown[group] as number) + mass;
  }
  let [sum, weight] = [unknown[0] as number, total[0] as number];
  for (let group = 1; group < groups; group++) {
    if (total[group] === 0) continue;
    sum += (0.5 * (unknown[group] as number)) / (total[group] as number);
    weight += 0.5;
  }
  return weight === 0 ? 1 : sum / weight;
}

/** Median and 95th percentile of how strange examples were. */
export function familiarityOf(strange: Float64Array): Familiarity {
  const sorted = Float64Array.from(strange).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { typical: at(0.5), high: at(0.95) };
}

/** Strangeness as a number from 0 to 1: 0 for what is no stranger than half of the examples, ½ for what is as strange as one in twenty of them. */
export function noveltyOf(strange: number, { typical, high }: Familiarity): number {
  return Math.min(1, Math.max(0, strange - typical) / (2 * Math.max(leastSpread, high - typical)));
}

/** From here on an input may well be about something else. */
const extreme = 0.75;
const mostNone = 0.9;

/** The probability that nothing of what was learnt fits an input of such novelty. It rises late: what is merely unusual is still about the matter. */
export function noneOf(novelty: number): number {
  const beyond = Math.max(0, (novelty - extreme) / (1 - extreme));
  return mostNone * beyond * beyond;
}
