import referenceQuantile from "@stdlib/stats-base-dists-beta-quantile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaCumulative, betaQuantile, logGamma } from "./beta.ts";

const shape = fc.double({ min: 0.2, max: 250, noNaN: true });
const inside = fc.double({ min: 0.001, max: 0.999, noNaN: true });

describe("the Beta distribution", () => {
  it("has the quantiles that an independent implementation computes", () => {
    fc.assert(
      fc.property(shape, shape, fc.oneof(fc.constantFrom(0.1, 0.9), inside), (a, b, p) => {
        const ours = betaQuantile(p, a, b);
        const theirs = referenceQuantile(p, a, b);
        expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-9 + 1e-7 * theirs);
      }),
    );
  });

  it("has a cumulative function that its quantiles invert", () => {
    fc.assert(
      // Below shape 1 quantiles crowd at 1 more closely than doubles can tell them apart.
      fc.property(
        fc.double({ min: 1, max: 250, noNaN: true }),
        fc.double({ min: 1, max: 250, noNaN: true }),
        inside,
        (a, b, p) => {
          expect(betaCumulative(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 9);
        },
      ),
    );
  });

  it("has closed forms at the edges of its family", () => {
    expect(betaQuantile(0.3, 1, 1)).toBeCloseTo(0.3, 14);
    expect(betaQuantile(0.9, 1, 5)).toBeCloseTo(1 - 0.1 ** (1 / 5), 14);
    expect(betaQuantile(0.1, 5, 1)).toBeCloseTo(0.1 ** (1 / 5), 14);
    expect(betaQuantile(0.25, 0.5, 0.5)).toBeCloseTo(Math.sin(Math.PI / 8) ** 2, 13);
    expect([betaQuantile(0, 2, 3), betaQuantile(1, 2, 3)]).toEqual([0, 1]);
    expect([betaCumulative(0, 2, 3), betaCumulative(1, 2, 3)]).toEqual([0, 1]);
  });

  it("mirrors: swapping the shapes swaps the tails", () => {
    fc.assert(
      fc.property(shape, shape, inside, (a, b, p) => {
        expect(betaQuantile(p, a, b)).toBeCloseTo(1 - betaQuantile(1 - p, b, a), 9);
      }),
    );
  });

  it("rests on a gamma function that meets factorials and the half", () => {
    let factorial = 1;
    for (let n = 1; n < 20; n++) {
      expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 10);
      factorial *= n;
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(0.01)).toBeCloseTo(4.59947987804, 10);
  });

  it("refuses what is no probability and no shape", () => {
    for (const [p, a, b] of [
      [-0.1, 1, 1],
      [1.1, 1, 1],
      [Number.NaN, 1, 1],
      [0.5, 0, 1],
      [0.5, 1, Number.POSITIVE_INFINITY],
    ] as const) {
      expect(() => betaQuantile(p, a, b)).toThrow(RangeError);
    }
  });
});
