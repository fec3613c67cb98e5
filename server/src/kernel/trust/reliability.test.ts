import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BinSums, binOf, reliabilityCurve, reliabilityFromSums, type ScoredOutcome } from "./reliability.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const observations = fc.array(fc.record({ score: unit, outcome: fc.constantFrom(0, 1) }), {
  minLength: 1,
  maxLength: 80,
});

/** What a database would add up. */
function sumsOf(list: readonly ScoredOutcome[]): BinSums[] {
  return list.map(({ score, outcome }) => ({
    bin: binOf(score),
    n: 1,
    scores: score,
    outcomes: outcome,
    squares: (score - outcome) ** 2,
  }));
}

describe("a reliability curve", () => {
  it("has the figures of an example worked out by hand", () => {
    const curve = reliabilityCurve([
      { score: 0.92, outcome: 1 },
      { score: 0.98, outcome: 1 },
      { score: 0.94, outcome: 0 },
      { score: 0.3, outcome: 1 },
    ]);
    expect(curve.n).toBe(4);
    // Three scores of mean .946… of which two thirds are right, one of .3 that is right.
    expect(curve.ece).toBeCloseTo((2.84 - 2 + 0.7) / 4, 12);
    expect(curve.brier).toBeCloseTo((0.08 ** 2 + 0.02 ** 2 + 0.94 ** 2 + 0.7 ** 2) / 4, 12);
    expect(curve.bins[9]).toMatchObject({ from: 0.9, to: 1, n: 3 });
    expect(curve.bins[9]!.mean_score).toBeCloseTo(2.84 / 3, 12);
    expect(curve.bins[9]!.mean_outcome).toBeCloseTo(2 / 3, 12);
    expect(curve.bins[3]).toMatchObject({ n: 1, mean_score: 0.3, mean_outcome: 1 });
    expect(curve.bins[0]).toMatchObject({ n: 0, mean_score: null, mean_outcome: null, low: null, high: null });
  });

  it("encloses a bin's accepted share, more closely the more labels there are", () => {
    const width = (n: number) => {
      const { low, high, mean_outcome } = reliabilityCurve(
        Array.from({ length: n }, (_, at) => ({ score: 0.75, outcome: at % 4 === 0 ? 0 : 1 })),
      ).bins[7]!;
      expect(low).toBeLessThan(mean_outcome!);
      expect(high).toBeGreaterThan(mean_outcome!);
      return high! - low!;
    };
    expect(width(400)).toBeLessThan(width(40));
    expect(width(40)).toBeLessThan(width(4));
  });

  it("is the same from sums that were added up elsewhere, in any order", () => {
    fc.assert(
      fc.property(observations, (list) => {
        const whole = reliabilityCurve(list);
        const summed = reliabilityFromSums(sumsOf(list).reverse());
        expect(summed.n).toBe(whole.n);
        expect(summed.ece).toBeCloseTo(whole.ece!, 12);
        expect(summed.brier).toBeCloseTo(whole.brier!, 12);
        expect(summed.bins.map(({ n }) => n)).toEqual(whole.bins.map(({ n }) => n));
      }),
    );
  });

  it("has an error of 0 where every bin keeps its word, and never above 1", () => {
    const kept = [0.25, 0.75].flatMap((score) =>
      [0, 1, 2, 3].map((at) => ({ score, outcome: at < 4 * score ? 1 : 0 })),
    );
    expect(reliabilityCurve(kept).ece).toBeCloseTo(0, 12);
    expect(reliabilityCurve([{ score: 1, outcome: 0 }])).toMatchObject({ ece: 1, brier: 1 });
    fc.assert(
      fc.property(observations, (list) => {
        const { ece, brier } = reliabilityCurve(list);
        expect(ece!).toBeGreaterThanOrEqual(0);
        expect(Math.max(ece!, brier!)).toBeLessThanOrEqual(1 + 1e-12);
      }),
    );
  });

  it("says nothing without a label", () => {
    expect(reliabilityCurve([])).toMatchObject({ n: 0, ece: null, brier: null });
  });

  it("puts each score into the bin that includes its lower end, and 1 into the last", () => {
    expect([0, 0.0999, 0.1, 0.55, 0.9999, 1].map((score) => binOf(score))).toEqual([0, 0, 1, 5, 9, 9]);
    expect(reliabilityCurve([{ score: 0.4, outcome: 1 }], 2).bins.map(({ n }) => n)).toEqual([1, 0]);
  });

  it("refuses scores, outcomes and bins that do not exist", () => {
    expect(() => reliabilityCurve([{ score: 1.2, outcome: 1 }])).toThrow(RangeError);
    expect(() => reliabilityCurve([{ score: 0.2, outcome: Number.NaN }])).toThrow(RangeError);
    expect(() => reliabilityFromSums([{ bin: 10, n: 1, scores: 1, outcomes: 1, squares: 0 }])).toThrow("bin 10");
  });
});
