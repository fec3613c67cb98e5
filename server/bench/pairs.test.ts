import { describe, expect, it } from "vitest";
import { median, pairs } from "./pairs.ts";

describe("the median", () => {
  it("is the one in the middle, whatever the order", () => {
    expect(median([9, 1, 5])).toBe(5);
  });
  it("is the mean of the two in the middle of an even number", () => {
    expect(median([4, 1, 2, 100])).toBe(3);
  });
  it("does not exist of nothing", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("measuring in pairs", () => {
  it("takes both in turn", async () => {
    const order: string[] = [];
    const take = (name: string) => async () => order.push(name);
    await pairs(3, take("a"), take("b"));
    expect(order.join("")).toBe("ababab");
  });
  it("answers the median of the ratios of neighbours, not the ratio of medians", async () => {
    const a = [10, 20, 90];
    const b = [10, 10, 10];
    const next = (list: number[]) => async () => list.shift() as number;
    const { ratios, ratio } = await pairs(3, next([...a]), next([...b]));
    expect(ratios).toEqual([1, 2, 9]);
    expect(ratio).toBe(2);
  });
});
