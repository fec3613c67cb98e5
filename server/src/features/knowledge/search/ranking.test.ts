import { afterEach, expect, it } from "vitest";
import { rank, ranking, vocabularyOf } from "./ranking.ts";

const weights = { feedback: ranking.feedback.weight, neighbours: ranking.neighbours.weight };
const set = (feedback: number, neighbours: number): void => {
  Object.assign(ranking.feedback, { weight: feedback });
  Object.assign(ranking.neighbours, { weight: neighbours });
};
afterEach(() => set(weights.feedback, weights.neighbours));

const chunk = (often: Readonly<Record<string, number>>) => ({
  terms: Object.keys(often),
  often: Object.values(often),
  length: Object.values(often).reduce((sum, one) => sum + one),
});
/** The first two say the same of cars; the best ones speak of engines, as the first does, and the others of cakes, as the second does. */
const candidates = [
  chunk({ car: 1, engine: 1 }),
  chunk({ car: 1, cake: 1 }),
  ...Array.from({ length: 12 }, () => chunk({ car: 2, engine: 1 })),
  ...Array.from({ length: 10 }, () => chunk({ cake: 2 })),
];

it.each([
  ["the relevance model of the best chunks", weights.feedback, 0],
  ["the scores of its nearest neighbours", 0, weights.neighbours],
])(
  "prefers, of chunks that have the words alike, the one that resembles the best ones: by %s alone",
  (_by, feedback, neighbours) => {
    set(feedback, neighbours);
    const { scores, bm25 } = rank(1, candidates, vocabularyOf(["car"], candidates), 2.4, () => 1);
    expect(bm25[0]).toBe(bm25[1]);
    expect(scores[0]).toBeGreaterThan(0.01 + (scores[1] as number));
  },
);
