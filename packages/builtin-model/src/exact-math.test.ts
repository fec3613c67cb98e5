import fc from "fast-check";
import { expect, it } from "vitest";
import { exp, ln, logit, sigmoid } from "./exact-math.ts";

it("agrees with Math.exp to fifteen digits", () => {
  fc.assert(
    fc.property(fc.double({ min: -690, max: 690, noNaN: true }), (x) => {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(2e-15 * Math.max(1, Math.abs(x) / 8));
    }),
  );
  expect([exp(0), exp(-1e9), exp(Number.NEGATIVE_INFINITY)]).toEqual([1, 0, 0]);
});

it("agrees with Math.log to fourteen digits", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
      expect(Math.abs(ln(x) - Math.log(x))).toBeLessThan(1e-14 * Math.max(1, Math.abs(Math.log(x))));
    }),
  );
  expect([ln(0), ln(-1), ln(Number.POSITIVE_INFINITY)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

it("keeps probabilities strictly between 0 and 1", () => {
  for (const x of [-1e9, -40, 40, 1e9]) {
    expect(sigmoid(x)).toBeGreaterThan(0);
    expect(sigmoid(x)).toBeLessThan(1);
  }
  expect(sigmoid(logit(0.3))).toBeCloseTo(0.3, 12);
});
