import fc from "fast-check";
import { expect, it } from "vitest";
import { fuse } from "./rules.ts";

const ranking = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 })
  .map((places) => ({ ranked: places.map((place, at) => ({ place, rank: at + 1 })) }));

it("scores by the reciprocal of 60 and the rank, summed over rankings", () => {
  const words = { ranked: [{ place: 7, rank: 1 }] };
  const vectors = { ranked: [7, 9].map((place, at) => ({ place, rank: at + 1 })), weight: 2 };
  expect(fuse([words, vectors])).toEqual([
    { place: 7, score: 1 / 61 + 2 / 61 },
    { place: 9, score: 2 / 62 },
  ]);
});

it("keeps the order of a single ranking", () => {
  fc.assert(
    fc.property(ranking, (one) => {
      expect(fuse([one]).map(({ place }) => place)).toEqual(one.ranked.map(({ place }) => place));
    }),
  );
});

it("names each place once, whatever the order of the rankings, and puts what all prefer first", () => {
  fc.assert(
    fc.property(fc.array(ranking, { minLength: 1, maxLength: 4 }), (rankings) => {
      const fused = fuse(rankings);
      const places = fused.map(({ place }) => place);
      expect(new Set(places)).toEqual(new Set(rankings.flatMap(({ ranked }) => ranked.map(({ place }) => place))));
      expect(new Set(places).size).toBe(places.length);
      const reversed = fuse([...rankings].reverse());
      for (const { place, score } of reversed)
        expect(score).toBeCloseTo(fused.find((one) => one.place === place)?.score ?? Number.NaN, 12);
      const firsts = new Set(rankings.map(({ ranked }) => ranked[0]?.place));
      if (firsts.size === 1 && fused.length > 0) expect(places[0]).toBe([...firsts][0]);
    }),
  );
});

it("cuts to the limit", () => {
  fc.assert(
    fc.property(ranking, fc.integer({ min: 0, max: 30 }), (one, limit) => {
      expect(fuse([one], limit)).toEqual(fuse([one]).slice(0, limit));
    }),
  );
});
