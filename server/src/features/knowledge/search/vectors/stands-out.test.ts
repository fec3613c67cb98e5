import fc from "fast-check";
import { expect, it } from "vitest";
import { standsOut } from "./rules.ts";

const of = (best: number, others: number) =>
  [best, ...Array.from({ length: 9 }, () => others)].map((likeness) => ({ likeness }));

it("tells a near chunk from one that is merely the nearest, whatever range a model's cosines have", () => {
  expect([of(0.55, 0.25), of(0.86, 0.76)].map(standsOut)).toEqual([true, true]);
  expect([of(0.25, 0.15), of(0.78, 0.74)].map(standsOut)).toEqual([false, false]);
  expect(standsOut([{ likeness: 0.9 }])).toBe(false);
});

it("does not depend on the order of the candidates, and never stands out less for a better best", () => {
  const likeness = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(likeness, { minLength: 8, maxLength: 40 }), (likenesses) => {
      const candidates = likenesses.map((one) => ({ likeness: one }));
      expect(standsOut([...candidates].reverse())).toBe(standsOut(candidates));
      const best = Math.max(...likenesses);
      const better = [...likenesses.filter((_one, at) => at !== likenesses.indexOf(best)), 1];
      if (standsOut(candidates)) expect(standsOut(better.map((one) => ({ likeness: one })))).toBe(true);
    }),
  );
});
