import referenceStudent from "@stdlib/stats-base-dists-t-quantile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boundPValue,
  type ClusterMean,
  clusterMean,
  differenceRange,
  type Observation,
  oneSidedBound,
  scoreRange,
  unseenShare,
} from "./cluster-mean.ts";

const each = (values: readonly number[]): Observation[] =>
  values.map((value, index) => ({ cluster: String(index), value }));
const of = (values: readonly number[], range = differenceRange): ClusterMean => clusterMean(each(values), range)!;
const differences = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 60 });
const side = fc.constantFrom(-1 as const, 1 as const);

describe("a mean over clusters", () => {
  it("has the textbook's standard error and Student's bounds when every observation stands by itself", () => {
    fc.assert(
      fc.property(differences, (values) => {
        const n = values.length;
        const mean = values.reduce((sum, value) => sum + value, 0) / n;
        const error = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n);
        const at = of(values);
        expect(at).toMatchObject({ n, observations: n });
        expect(at.mean).toBeCloseTo(mean, 12);
        expect(at.standard_error).toBeCloseTo(error, 11);
        const least = (1 - 0.05 ** (1 / n)) * (mean + 1);
        expect(oneSidedBound(at, -1, 0.05)).toBeCloseTo(
          Math.max(-1, mean - Math.max(referenceStudent(0.95, n - 1) * error, least)),
          7,
        );
      }),
    );
  });

  it("does not become surer when the same thing is said again inside a cluster", () => {
    fc.assert(
      fc.property(differences, fc.integer({ min: 2, max: 4 }), (values, times) => {
        const repeated = clusterMean(
          each(values).flatMap((one) => Array.from({ length: times }, () => one)),
          differenceRange,
        )!;
        const once = of(values);
        expect(repeated.n).toBe(once.n);
        expect(repeated.mean).toBeCloseTo(once.mean, 12);
        expect(repeated.standard_error).toBeCloseTo(once.standard_error, 11);
      }),
    );
  });

  it("is less sure of observations that move together than of the same ones apart", () => {
    const pairs = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 0.4 : -0.4));
    const together = clusterMean(
      pairs.flatMap((value, index) => [0, 1].map(() => ({ cluster: String(index), value }))),
      differenceRange,
    )!;
    expect(together.standard_error).toBeGreaterThan(1.35 * of(pairs.flatMap((value) => [value, value])).standard_error);
  });

  it("never claims more than what its clusters may have left unseen", () => {
    // Clusters that agree exactly: 59 of them are the first that exclude a drop of 5 points.
    const low = (n: number) => oneSidedBound(of(new Array<number>(n).fill(0)), -1, 0.05)!;
    expect(low(58)).toBeLessThan(-0.05);
    expect(low(59)).toBeGreaterThan(-0.05);
    expect(low(200)).toBeCloseTo(-(1 - 0.05 ** (1 / 200)), 12);
    // A small drop on one of twenty does not make the rest more certain than no drop at all.
    expect(oneSidedBound(of([-1 / 3, ...new Array<number>(19).fill(0)]), -1, 0.05)).toBeLessThan(low(20));
  });

  it("leaves 3/n unseen, nearly", () => {
    for (const n of [30, 100, 1000]) expect(unseenShare(n, 0.05) * n).toBeCloseTo(3, 0);
    expect(unseenShare(20, 0.05)).toBeCloseTo(1 - 0.05 ** (1 / 20), 14);
    expect(unseenShare(1, 0.05)).toBeCloseTo(0.95, 14);
  });

  it("has a p-value that is α exactly where its bound lies", () => {
    fc.assert(
      fc.property(differences, side, fc.constantFrom(0.05, 0.01, 0.2), (values, which, alpha) => {
        const at = of(values);
        const bound = oneSidedBound(at, which, alpha)!;
        fc.pre(Math.abs(bound) < 0.999 && Math.abs(bound - at.mean) > 1e-6);
        expect(boundPValue(at, which, bound)).toBeCloseTo(alpha, 6);
      }),
    );
  });

  it("knows nothing from one cluster, and all that its range says by itself", () => {
    const alone = of([0.4]);
    expect([oneSidedBound(alone, -1, 0.05), oneSidedBound(alone, 1, 0.05)]).toEqual([null, null]);
    expect([boundPValue(alone, -1, 0), boundPValue(alone, 1, 0.9)]).toEqual([1, 1]);
    expect(boundPValue(alone, -1, -1)).toBe(0);
    expect(clusterMean([], scoreRange)).toBeNull();
  });

  it("gives 1 where the mean itself speaks for the other side", () => {
    const at = of([0.1, 0.2, 0.3]);
    expect([boundPValue(at, 1, 0.2), boundPValue(at, -1, 0.2), boundPValue(at, 1, 0)]).toEqual([1, 1, 1]);
  });

  it("takes no rounding residue for spread, and refuses what lies outside its range", () => {
    expect(of(new Array<number>(7).fill(0.1)).standard_error).toBe(0);
    expect(() => of([1.1], scoreRange)).toThrow("[0, 1]");
    expect(() => of([Number.NaN])).toThrow(RangeError);
  });
});
