import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startTrustConfig as config } from "./config.ts";
import { aggregateEvidence, decayEvidence, noEvidence, runOutcome, sourceQuality, versionFactor } from "./evidence.ts";
import { shapleyValues } from "./explain.ts";

const DAY = 86_400_000;
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const item = fc.record({
  channel: fc.constantFrom("evaluations" as const, "runs" as const),
  y: unit,
  at: fc.integer({ min: 0, max: 90 * DAY }),
  v: unit,
  q: unit,
});

describe("evidence", () => {
  it("counts an item by age, version and source", () => {
    const one = { channel: "runs" as const, y: 0.75, at: 0, v: 0.5, q: 0.64 };
    const { sums } = aggregateEvidence([one], 30 * DAY, config);
    expect(sums.runs.S).toBeCloseTo(0.5 * 0.5 * 0.64 * 0.75, 14);
    expect(sums.runs.F).toBeCloseTo(0.5 * 0.5 * 0.64 * 0.25, 14);
    expect(sums.evaluations).toEqual({ S: 0, F: 0 });
  });

  it("may be summed in parts and at several times with the same result", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), fc.nat(20), (items, cut) => {
        const end = 120 * DAY;
        const whole = aggregateEvidence(items, end, config);
        const first = aggregateEvidence(items.slice(0, cut), 100 * DAY, config);
        const parts = aggregateEvidence(items.slice(cut), end, config, first);
        for (const channel of ["evaluations", "runs"] as const) {
          expect(parts.sums[channel].S).toBeCloseTo(whole.sums[channel].S, 9);
          expect(parts.sums[channel].F).toBeCloseTo(whole.sums[channel].F, 9);
        }
        expect(parts.as_of).toBe(end);
      }),
    );
  });

  it("halves in thirty days and is never younger than it was", () => {
    const evidence = aggregateEvidence([{ channel: "approvals", y: 1, at: 0, v: 1, q: 1 }], 0, config);
    expect(decayEvidence(evidence, 30 * DAY, config).sums.approvals.S).toBeCloseTo(0.5, 14);
    expect(decayEvidence(evidence, -DAY, config)).toBe(evidence);
    expect(aggregateEvidence([{ channel: "approvals", y: 1, at: DAY, v: 1, q: 1 }], 0, config).sums.approvals.S).toBe(1);
  });

  it("weighs judges by how well they tell good from bad", () => {
    expect(sourceQuality({ kind: "code" }, config)).toBe(1);
    expect(sourceQuality({ kind: "person" }, config)).toBe(1);
    expect(sourceQuality({ kind: "judge", rates: null }, config)).toBe(0.25);
    expect(sourceQuality({ kind: "judge", rates: { tpr: 0.9, tnr: 0.9 } }, config)).toBeCloseTo(0.64, 14);
    expect(sourceQuality({ kind: "judge", rates: { tpr: 0.2, tnr: 0.3 } }, config)).toBe(0);
    expect(() => sourceQuality({ kind: "judge", rates: { tpr: 1.2, tnr: 0.3 } }, config)).toThrow(RangeError);
  });

  it("counts less after a change of prompt or tool, and least after one of the model", () => {
    expect([versionFactor("none", config), versionFactor("prompt_or_tool", config), versionFactor("model", config)]).toEqual([
      1, 0.5, 0.25,
    ]);
  });

  it("takes completed and failed runs and no other end", () => {
    expect(["completed", "failed", "cancelled", "expired", "rejected"].map(runOutcome)).toEqual([1, 0, null, null, null]);
  });

  it("refuses an item outside its range", () => {
    for (const wrong of [{ y: 1.01 }, { v: -0.1 }, { q: Number.NaN }]) {
      expect(() => aggregateEvidence([{ channel: "runs", y: 1, at: 0, v: 1, q: 1, ...wrong }], 0, config)).toThrow(RangeError);
    }
    expect(noEvidence(5).as_of).toBe(5);
  });
});

describe("Shapley values", () => {
  it("solve the glove game", () => {
    // One left glove, two right ones: a pair is worth 1.
    const worth = (set: readonly string[]) => (set.includes("left") && (set.includes("right1") || set.includes("right2")) ? 1 : 0);
    const values = shapleyValues(["left", "right1", "right2"], worth);
    [2 / 3, 1 / 6, 1 / 6].forEach((value, index) => {
      expect(values[index]).toBeCloseTo(value, 14);
    });
  });

  it("share out all of any game and nothing more", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 16, maxLength: 16 }), (table) => {
        const worth = (set: readonly number[]) => table[set.reduce((sum, player) => sum | (1 << player), 0)]!;
        const total = shapleyValues([0, 1, 2, 3], worth).reduce((sum, value) => sum + value, 0);
        expect(total).toBeCloseTo(table[15]! - table[0]!, 9);
      }),
    );
  });

  it("are not attempted for crowds", () => {
    expect(() => shapleyValues(Array.from({ length: 11 }), () => 0)).toThrow(RangeError);
  });
});
