import referenceStudentCumulative from "@stdlib/stats-base-dists-t-cdf";
import referenceStudent from "@stdlib/stats-base-dists-t-quantile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { studentCumulative, studentQuantile } from "./student.ts";

const probability = fc.oneof(
  fc.constantFrom(0.05, 0.95, 0.1, 0.9, 0.025, 0.975, 0.2, 0.8, 0.5),
  fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }),
);
const degrees = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1_000, 10_000, 1_000_000));
const close = (ours: number, theirs: number, relative: number): void => {
  expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-12 + relative * Math.abs(theirs));
};

describe("Student's t distribution", () => {
  it("has the quantiles that an independent implementation computes", () => {
    fc.assert(
      fc.property(probability, degrees, (p, df) => close(studentQuantile(p, df), referenceStudent(p, df), 1e-7)),
    );
  });

  it("has the cumulative function that an independent implementation computes, relatively in the tail too", () => {
    fc.assert(
      fc.property(fc.double({ min: -60, max: 60, noNaN: true }), degrees, (t, df) => {
        close(studentCumulative(t, df), referenceStudentCumulative(t, df), 1e-8);
      }),
    );
  });

  it("has closed forms with one and two degrees of freedom", () => {
    expect(studentQuantile(0.95, 1)).toBeCloseTo(Math.tan(Math.PI * 0.45), 9);
    expect(studentQuantile(0.95, 2)).toBeCloseTo(0.9 * Math.sqrt(2 / (4 * 0.95 * 0.05)), 9);
    expect(studentCumulative(1, 1)).toBeCloseTo(0.75, 12);
  });

  it("goes to infinity where probability ends", () => {
    expect([studentCumulative(Number.POSITIVE_INFINITY, 7), studentCumulative(Number.NEGATIVE_INFINITY, 7)]).toEqual([
      1, 0,
    ]);
  });

  it("refuses what is no probability and no degree of freedom", () => {
    for (const [p, df] of [
      [0, 3],
      [1, 3],
      [Number.NaN, 3],
      [0.5, 0],
      [0.3, Number.POSITIVE_INFINITY],
    ] as const) {
      expect(() => studentQuantile(p, df)).toThrow(RangeError);
    }
  });
});
