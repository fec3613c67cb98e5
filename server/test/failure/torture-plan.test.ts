import { describe, expect, it } from "vitest";
import { makePlan, type PlanOptions } from "./torture-plan.ts";

const options: PlanOptions = {
  seed: 7,
  kills: 20,
  pauses: 4,
  pauseMs: 20_000,
  terminations: 40,
  loadMs: 420_000,
  processes: 4,
};

describe("the plan of the torture", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(makePlan(options)).toEqual(makePlan(options));
    expect(makePlan(options)).not.toEqual(makePlan({ ...options, seed: 8 }));
  });

  it.each([1, 2, 3, 4, 5])("deals every blow within the load, and no two pauses at once: seed %i", (seed) => {
    const plan = makePlan({ ...options, seed });
    const count = (kind: string): number => plan.filter((blow) => blow.kind === kind).length;
    expect([count("kill"), count("pause"), count("terminate")]).toEqual([20, 4, 40]);
    expect(plan.every(({ at }) => at >= 5_000 && at <= options.loadMs - 5_000)).toBe(true);
    const pauses = plan.filter(({ kind }) => kind === "pause").map(({ at }) => at);
    expect(pauses.slice(1).every((at, n) => at - (pauses[n] as number) >= 20_000)).toBe(true);
  });

  it("refuses pauses for which the load is too short", () => {
    expect(() => makePlan({ ...options, loadMs: 60_000 })).toThrow("longer than the load");
  });
});
