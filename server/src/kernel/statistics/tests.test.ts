import referenceNormal from "@stdlib/stats-base-dists-normal-quantile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logEValue } from "./e-process.ts";
import { holmAdjusted } from "./holm.ts";
import { normalCumulative } from "./normal.ts";
import { comparePairs, probabilityWorse } from "./paired.ts";

describe("the e-value of a look", () => {
  it("is the half-normal mixture of likelihood ratios, integrated by force", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 0.999, noNaN: true }), fc.double({ min: 0.005, max: 0.3, noNaN: true }), (p, error) => {
        const effect = 0.05;
        const information = 1 / error ** 2;
        const drift = -referenceNormal(p, 0, 1) * Math.sqrt(information);
        let sum = 0;
        const step = effect / 2000;
        for (let theta = step / 2; theta < 8 * effect; theta += step) {
          const density = Math.sqrt(2 / Math.PI) / effect * Math.exp(-0.5 * (theta / effect) ** 2); // biome-ignore format: one formula
          sum += density * Math.exp(theta * drift - 0.5 * theta ** 2 * information) * step;
        }
        expect(logEValue({ p, standard_error: error }, effect)).toBeCloseTo(Math.log(sum), 3);
      }),
      { numRuns: 40 },
    );
  });

  it("is worth 1 on average where the null hypothesis holds exactly, whatever the information", () => {
    for (const error of [0.01, 0.03, 0.1]) {
      // Over the z of a look, whose e-value grows nearly as fast as its density falls.
      let mean = 0;
      const step = 0.005;
      for (let z = -8; z < 36; z += step) {
        const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
        mean += Math.exp(logEValue({ p: normalCumulative(-z), standard_error: error }, 0.05)) * density * step;
      }
      expect(mean).toBeCloseTo(1, 6);
    }
  });

  it("grows as p falls and stays a number at both ends", () => {
    const at = (p: number) => logEValue({ p, standard_error: 0.02 }, 0.05);
    const values = [1, 0.9, 0.5, 0.1, 0.01, 1e-5, 1e-30, 0].map(at);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values.every(Number.isFinite)).toBe(true);
  });

  it("refuses what is no look", () => {
    expect(() => logEValue({ p: 1.2, standard_error: 1 }, 0.05)).toThrow(RangeError);
    expect(() => logEValue({ p: 0.2, standard_error: 0 }, 0.05)).toThrow(RangeError);
    expect(() => logEValue({ p: 0.2, standard_error: 1 }, 0)).toThrow(RangeError);
  });
});

describe("Holm's correction", () => {
  it("gives the adjusted values of an example worked out by hand", () => {
    expect(holmAdjusted([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holmAdjusted([0.2])).toEqual([0.2]);
    expect(holmAdjusted([])).toEqual([]);
  });

  it("rejects what stepping down from the smallest rejects", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 1, maxLength: 6 }), (values) => {
        const sorted = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
        const rejected = new Set<number>();
        for (const [rank, { value, index }] of sorted.entries()) {
          if (value * (values.length - rank) > 0.05) break;
          rejected.add(index);
        }
        expect(holmAdjusted(values).flatMap((value, index) => (value <= 0.05 ? [index] : []))).toEqual([...rejected].sort((a, b) => a - b));
      }),
    );
  });
});

describe("a paired comparison", () => {
  const pairs = (changes: readonly number[]) =>
    changes.map((change, index) => ({ cluster: String(index), before: 0.5, after: 0.5 + change }));

  it("says how far things changed, and how surely", () => {
    const worse = comparePairs(pairs([-0.2, -0.1, -0.3, -0.2, -0.1, -0.2, -0.3, -0.2]))!;
    expect(worse).toMatchObject({ pairs: 8, n: 8, before: 0.5 });
    expect(worse.difference).toBeCloseTo(-0.2, 12);
    expect(worse.after).toBeCloseTo(0.3, 12);
    expect(worse.high).toBeGreaterThan(worse.difference);
    expect(worse.p_better).toBe(1);
    const better = comparePairs(pairs([0.2, 0.1, 0.3, 0.2, 0.1, 0.2, 0.3, 0.2]))!;
    expect(better.p_better).toBeCloseTo(worse.p_worse, 12);
    expect(better.low).toBeCloseTo(-worse.high!, 12);
  });

  it("calls no change neither better nor worse", () => {
    expect(comparePairs(pairs([0, 0, 0]))).toMatchObject({ difference: 0, p_worse: 1, p_better: 1 });
    expect(comparePairs([])).toBeNull();
  });

  it("narrows with a larger error that is allowed", () => {
    const changes = pairs([0.1, -0.1, 0.2, 0, 0.1, -0.2]);
    expect(comparePairs(changes, 0.2)!.low).toBeGreaterThan(comparePairs(changes, 0.05)!.low!);
  });
});

describe("the probability that one item got worse", () => {
  it("is a half where nothing tells the two apart, and mirrors when they are exchanged", () => {
    expect(probabilityWorse([], [])).toBeCloseTo(0.5, 2);
    expect(probabilityWorse([1, 0, 1], [0, 1, 1])).toBeCloseTo(0.5, 2);
    expect(probabilityWorse([1, 1, 1], [0, 0, 1]) + probabilityWorse([0, 0, 1], [1, 1, 1])).toBeCloseTo(1, 2);
  });

  it("grows with repeats that agree", () => {
    const chances = [1, 2, 3, 6].map((k) => probabilityWorse(new Array<number>(k).fill(1), new Array<number>(k).fill(0)));
    expect(chances).toEqual([...chances].sort((a, b) => a - b));
    expect(chances[0]).toBeGreaterThan(0.8);
    expect(chances[2]).toBeGreaterThan(0.98);
    expect(() => probabilityWorse([2], [])).toThrow(RangeError);
  });
});
