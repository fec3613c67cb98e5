import fc from "fast-check";
import { expect, it } from "vitest";
import { figureOf, ndcg, recall, reciprocalRank, scoreQuestion } from "./metrics.ts";

const grades = new Map([
  ["a", 3],
  ["b", 2],
  ["c", 1],
]);
const list = fc.uniqueArray(fc.constantFrom(..."abcdefghijklmnop"), { maxLength: 16 });

it("gives a worked example its figures", () => {
  const found = ["x", "b", "a"]; // gains 0, 2, 3 at discounts 1, log2(3), 2; best order 3, 2, 1
  const best = 3 + 2 / Math.log2(3) + 1 / 2;
  expect(ndcg(found, grades)).toBeCloseTo((2 / Math.log2(3) + 3 / 2) / best, 12);
  expect(recall(found, grades, 5)).toBeCloseTo(2 / 3, 12);
  expect(reciprocalRank(found, grades)).toBe(1 / 2);
});

it("counts a document once, at its first rank", () => {
  expect(scoreQuestion(["a", "a", "b", "a", "c"], grades)).toEqual(scoreQuestion(["a", "b", "c"], grades));
  expect(ndcg(["a", "a", "b", "c"], grades)).toBe(1);
});

it("lies between 0 and 1, is 1 for the best order and never falls by moving what is expected up", () => {
  fc.assert(
    fc.property(list, fc.nat(15), (found, at) => {
      const scores = scoreQuestion(found, grades);
      for (const value of Object.values(scores)) expect(value >= 0 && value <= 1).toBe(true);
      const moved = found[at];
      if (at === 0 || moved === undefined || !grades.has(moved) || grades.has(found[at - 1] as string)) return;
      const up = [...found];
      [up[at - 1], up[at]] = [moved, found[at - 1] as string];
      expect(ndcg(up, grades)).toBeGreaterThanOrEqual(scores.ndcg_at_10);
      expect(reciprocalRank(up, grades)).toBeGreaterThanOrEqual(scores.reciprocal_rank);
    }),
  );
  expect(ndcg(["a", "b", "c"], grades)).toBe(1);
});

it("encloses the mean in its interval, which one question does not have", () => {
  expect(figureOf([])).toBeNull();
  expect(figureOf([0.5])).toEqual({ mean: 0.5, low: null, high: null });
  const figure = figureOf([0.2, 0.4, 0.6, 0.8, 0.5, 0.5]);
  expect(figure?.low).toBeLessThan(0.5);
  expect(figure?.high).toBeGreaterThan(0.5);
});
