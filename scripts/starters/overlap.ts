import type { Json } from "./files.ts";

// Evaluation items that stand in the training measure memory. These are found by their words, whatever case and punctuation they have.

/** From this share of common word pairs and triples on, two texts count as the same. */
export const mostOverlap = 0.8;

export interface Overlap {
  /** Places in the two lists. */
  readonly item: number;
  readonly example: number;
  /** From 0 to 1; 1 where the words are equal. */
  readonly share: number;
}

/** All texts of an input in one, in lower case, words only. */
export function normalized(input: Json): string {
  const texts = Object.keys(input)
    .sort()
    .map((name) => (typeof input[name] === "object" ? JSON.stringify(input[name]) : String(input[name])));
  return (
    texts
      .join(" ")
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(" ");
}

/** The inputs that have as good as the same words as an example: the share is that of the n-grams (pairs and triples of words) of the shorter text. */
export function overlaps(items: readonly Json[], examples: readonly Json[], least = mostOverlap): Overlap[] {
  const known = examples.map((example) => ({ text: normalized(example), grams: gramsOf(normalized(example)) }));
  const found: Overlap[] = [];
  items.forEach((input, item) => {
    const text = normalized(input);
    const grams = gramsOf(text);
    known.forEach((one, example) => {
      const share = one.text === text ? 1 : shareOf(grams, one.grams);
      if (share >= least) found.push({ item, example, share });
    });
  });
  return found;
}

function gramsOf(text: string): Set<string> {
  const words = text.split(" ");
  const grams = new Set<string>();
  for (const n of [2, 3]) for (let at = 0; at + n <= words.length; at++) grams.add(words.slice(at, at + n).join(" "));
  return grams;
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let common = 0;
  for (const gram of small) if (large.has(gram)) common++;
  return common / small.size;
}
