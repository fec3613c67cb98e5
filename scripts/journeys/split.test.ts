import { describe, expect, it } from "vitest";
import { portions, shuffled, split } from "./split.ts";

const rows = Array.from({ length: 1000 }, (_, at) => at);

describe("splitting rows", () => {
  it("keeps every row once, in an order that the seed decides", () => {
    expect(shuffled(rows, 1)).toEqual(shuffled(rows, 1));
    expect(shuffled(rows, 1)).not.toEqual(shuffled(rows, 2));
    expect(shuffled(rows, 1).sort((a, b) => a - b)).toEqual(rows);
  });

  it("mixes: of rows that lie one behind the other, about as many as elsewhere are kept apart", () => {
    const { train, rest } = split(rows, 200, 1);
    expect([train.length, rest.length]).toEqual([800, 200]);
    const early = rest.filter((row) => row < 500).length;
    expect(early).toBeGreaterThan(70);
    expect(early).toBeLessThan(130);
    expect(train.some((row) => rest.includes(row))).toBe(false);
  });

  it("refuses to keep apart all or none", () => {
    expect(() => split(rows, 1000, 1)).toThrow(RangeError);
    expect(() => split(rows, 0, 1)).toThrow(RangeError);
  });
});

describe("portions of items", () => {
  it("end at a number of items", () => {
    expect(portions([1, 2, 3, 4, 5], 2, 1000)).toEqual([[1, 2], [3, 4], [5]]);
    expect(portions([], 2, 1000)).toEqual([]);
  });

  it("end before they have too many bytes, and a large item stands alone", () => {
    const large = "x".repeat(50);
    expect(portions(["a", "b", large, "c"], 10, 20)).toEqual([["a", "b"], [large], ["c"]]);
  });
});
