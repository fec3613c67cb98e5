import { describe, expect, it } from "vitest";
import { chanceOf, figuresOf, rangeOf } from "./estimate.ts";

const task = (version_id: string, completed = true) => ({
  id: "tsk_01jd8x0000000000000000000a",
  version_id,
  completed,
  cost_usd: 0.01,
  tokens: 10,
  run: 2,
  queue: null,
});

describe("figures of an estimate", () => {
  it("take the live version alone once it has twenty tasks", () => {
    const earlier = Array(30).fill(task("ver_a", false));
    const few = [...Array(19).fill(task("ver_b")), ...earlier];
    expect(figuresOf(few, "ver_b").history).toMatchObject({ tasks: 49, same_version: false });
    const enough = [...Array(20).fill(task("ver_b")), ...earlier];
    expect(figuresOf(enough, "ver_b").history).toMatchObject({ tasks: 20, same_version: true });
  });

  it("are null of nothing", () => {
    expect(figuresOf([], "ver_a")).toMatchObject({ completes: null, cost_usd: null, queue_seconds: null });
  });

  it("give the mean of money and the median of times, with deciles", () => {
    const values = [1, 2, 3, 4, 100];
    expect(rangeOf(values, "mean")?.expected).toBe(22);
    expect(rangeOf(values, "median")).toMatchObject({ expected: 3, low: 1.4 });
  });

  it("give Jeffreys' interval of a share", () => {
    // Quantiles of Beta(19.5, 1.5) by scipy.stats.beta.ppf.
    expect(chanceOf(19, 20)).toMatchObject({ expected: 19.5 / 21 });
    const { low, high } = chanceOf(19, 20) as { low: number; high: number };
    expect([low, high].map((value) => Math.round(value * 1000) / 1000)).toEqual([0.82, 0.991]);
  });
});
