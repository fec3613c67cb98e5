import { afterEach, expect, it } from "vitest";
import { type Candidate, ranking, type Statistics } from "./bm25.ts";
import { rank } from "./ranking.ts";

const statistics: Statistics = { mean: 10, idf: () => 1, readAll: async () => undefined };
let documents = 0;
const candidate = (often: Readonly<Record<string, number>>, rest: Partial<Candidate> = {}): Candidate => ({
  document: `doc_${++documents}`,
  leads: false,
  terms: Object.keys(often),
  often: Object.values(often),
  length: 10,
  positions: new Map(),
  heading: { asked: [], others: 0 },
  ...rest,
});
const question = { terms: ["car", "engine"], often: [1, 1], pairs: [["car", "engine"]] as const };
const both = { car: 1, engine: 1 };

it.each<[string, Candidate, Candidate]>([
  [
    "words of the question that stand side by side",
    candidate(both, {
      positions: new Map([
        ["car", [4]],
        ["engine", [5]],
      ]),
    }),
    candidate(both, {
      positions: new Map([
        ["car", [5]],
        ["engine", [4]],
      ]),
    }),
  ],
  ["a heading of the question's words", candidate(both, { heading: { asked: ["car"], others: 0 } }), candidate(both)],
  [
    "a heading with fewer other words",
    candidate(both, { heading: { asked: ["car"], others: 0 } }),
    candidate(both, { heading: { asked: ["car"], others: 4 } }),
  ],
  ["the first passage of a document without a title", candidate(both, { leads: true }), candidate(both)],
  ["a word that is said more often", candidate({ car: 3 }), candidate({ car: 1 })],
  ["a shorter text", candidate(both, { length: 5 }), candidate(both, { length: 20 })],
  [
    "a passage of a document that says more of it elsewhere",
    candidate({ car: 1 }, { document: "both" }),
    candidate({ car: 1 }),
  ],
])("prefers %s", async (_what, better, worse) => {
  const [first, second] = await rank(
    question,
    [better, worse, candidate({ engine: 1 }, { document: "both" })],
    statistics,
  );
  expect(first).toBeGreaterThan(second as number);
});

/** The first two have the same of the question; the best ones speak of pistons, as the first does, and the others of cakes, as the second does. */
const thin = [
  candidate({ car: 1, piston: 1 }),
  candidate({ car: 1, cake: 1 }),
  ...Array.from({ length: 12 }, () => candidate({ car: 2, piston: 1 })),
  ...Array.from({ length: 10 }, () => candidate({ cake: 2 })),
];

const weights = { feedback: ranking.feedback.weight, neighbours: ranking.neighbours.weight };
const weigh = (feedback: number, neighbours: number): void => {
  Object.assign(ranking.feedback, { weight: feedback });
  Object.assign(ranking.neighbours, { weight: neighbours });
};
afterEach(() => weigh(weights.feedback, weights.neighbours));

it.each([
  ["what the best say besides", weights.feedback, 0],
  ["the scores of its nearest neighbours", 0, weights.neighbours],
])(
  "prefers, where even the best have little of the question, what resembles them: by %s alone",
  async (_by, feedback, neighbours) => {
    weigh(feedback, neighbours);
    const asked = { terms: ["car", "gearbox", "clutch"], often: [1, 1, 1], pairs: [] };
    const [first, second] = await rank(asked, thin, statistics);
    expect(first).toBeGreaterThan(0.01 + (second as number));
  },
);

it("leaves the order to the question's words where the best have them", async () => {
  const [first, second] = await rank({ terms: ["car"], often: [1], pairs: [] }, thin, statistics);
  expect(first).toBe(second);
});
