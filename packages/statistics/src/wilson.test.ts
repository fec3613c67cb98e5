import fc from "fast-check";
import { expect, it } from "vitest";
import { quantileInterval, wilsonInterval } from "./wilson.ts";

it("gives the interval of an example worked out by hand", () => {
  const { low, high } = wilsonInterval(0.9, 10)!;
  expect([low, high].map((bound) => Math.round(1e4 * bound) / 1e4)).toEqual([0.5958, 0.9821]);
  expect(wilsonInterval(0, 0)).toBeNull();
});

it("encloses the share, within 0 and 1, and narrows as more is counted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      const { low, high } = wilsonInterval(share, n)!;
      expect(low >= 0 && low <= share && share <= high && high <= 1).toBe(true);
      const more = wilsonInterval(share, 4 * n)!;
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});

it("bounds a quantile only where the sample is large enough", () => {
  expect(quantileInterval(0.99, 400)).toBeNull();
  const { low, high } = quantileInterval(0.5, 100)!;
  expect([low, high].map((bound) => Math.round(1e3 * bound) / 1e3)).toEqual([0.402, 0.598]);
});
