import { threadBudget } from "@aos/workflow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Measure, Measured } from "../schemas.ts";
import { measureHere, type Result, shareOf } from "./measure.ts";

const measureOf = (measure: Measure, results: readonly Result[]) =>
  measureHere([{ measure, results }], threadBudget())[0] as Measured;

const result = (output: unknown, accepted: boolean | null = null): Result => ({
  status: "completed",
  input: {},
  output,
  feedback: { accepted, rating: null, outcome: accepted === null ? null : Number(accepted) },
});
const measure = (given: Partial<Measure>): Measure => ({ skill: "x", aggregate: "count", target: 2, ...given });

describe("a measure", () => {
  it("counts what people accepted, and nothing that nobody has judged", () => {
    const accepted = measure({ where: "feedback.accepted == true" });
    const results = [result({}, true), result({}, false), result({}), result({}, true)];
    expect(measureOf(accepted, results)).toMatchObject({
      value: 2,
      low: 2,
      high: 2,
      reached: true,
      results: 4,
      counted: 2,
    });
  });

  it("gives a rate with an interval that narrows, and a mean over what counts", () => {
    const rate = measure({ aggregate: "rate", where: "output.good", target: 0.5 });
    const [few, many] = [4, 400].map((n) =>
      measureOf(
        rate,
        Array.from({ length: n }, (_none, at) => result({ good: at % 2 === 0 })),
      ),
    );
    expect([few?.value, many?.value]).toEqual([0.5, 0.5]);
    expect((few?.high ?? 0) - (few?.low ?? 0)).toBeGreaterThan((many?.high ?? 0) - (many?.low ?? 0));
    const mean = measure({ aggregate: "mean", value: "output.days", target: 3, direction: "at_most" });
    expect(measureOf(mean, [result({ days: 2 }), result({ days: 4 }), result({})])).toMatchObject({
      value: 3,
      reached: true,
      counted: 2,
      faults: 1,
    });
  });

  it("has no value and reaches nothing without a result, whatever the target", () => {
    expect(measureOf(measure({ aggregate: "mean", value: "1.0", target: 0 }), [])).toMatchObject({
      value: null,
      reached: false,
    });
    expect(measureOf(measure({ aggregate: "rate", target: 0 }), [])).toMatchObject({ value: null, reached: false });
  });

  it("holds a share within its interval, for any trials", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (successes, failures) => {
        const { value, low, high } = shareOf(successes, successes + failures);
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});
