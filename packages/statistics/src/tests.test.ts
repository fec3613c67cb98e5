import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holmAdjusted } from "./holm.ts";
import { comparePairs, probabilityWorse } from "./paired.ts";

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
        expect(holmAdjusted(values).flatMap((value, index) => (value <= 0.05 ? [index] : []))).toEqual(
          [...rejected].sort((a, b) => a - b),
        );
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
    const chances = [1, 2, 3, 6].map((k) =>
      probabilityWorse(new Array<number>(k).fill(1), new Array<number>(k).fill(0)),
    );
    expect(chances).toEqual([...chances].sort((a, b) => a - b));
    expect(chances[0]).toBeGreaterThan(0.8);
    expect(chances[2]).toBeGreaterThan(0.98);
    expect(() => probabilityWorse([2], [])).toThrow(RangeError);
  });
});
