import { plainTokens, type Variant } from "./evaluate.ts";

/**
 * No other part than words by their rarity, frequency and the length of the passage (Robertson's BM25, k1 1.2, b .75);
 * the title counts as text.
 */
export const plainBm25: Variant = {
  name: "BM25",
  tokens: plainTokens,
  plainHeadings: true,
  ranking: {
    base: 0.25,
    b: 0.75,
    rarity: 1,
    pairs: 0,
    heading: 0,
    lead: 1,
    document: 0,
    fewest: Number.POSITIVE_INFINITY,
  },
};

export const ours: Variant = { name: "as in the service" };

/** Each part left out. */
export const withoutParts: readonly Variant[] = [
  { name: "identifiers whole and in parts", tokens: plainTokens },
  { name: "weight of headings", plainHeadings: true },
  { name: "heading match", ranking: { heading: 0 } },
  { name: "pairs", ranking: { pairs: 0 } },
  { name: "lead", ranking: { lead: 1 } },
  { name: "document", ranking: { document: 0 } },
  { name: "expansion", ranking: { fewest: Number.POSITIVE_INFINITY } },
];
