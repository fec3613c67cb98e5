import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, leavesOf, mentionsIn } from "./rules.ts";

describe("how like two cases are", () => {
  it("is 1 for the same, symmetric, and between 0 and 1 for any two", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [a, b] = [leavesOf(one), leavesOf(other)];
        expect(compare(a, a)).toEqual({ similarity: 1, differs: [] });
        const { similarity } = compare(a, b);
        expect(similarity).toBe(compare(b, a).similarity);
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("counts an amount by how near it is, also as text, and names the fields that differ", () => {
    const about = (amount: unknown) => leavesOf({ order: { id: "o_1" }, amount });
    expect(compare(about(100), about(80)).similarity).toBe(0.9);
    expect(compare(about("100.00"), about(80)).similarity).toBe(0.9);
    expect(compare(about(100), about(-100)).similarity).toBe(0.5);
    expect(compare(about(100), leavesOf({ amount: 100 })).differs).toEqual([
      { field: "/order/id", here: "o_1", there: null },
    ]);
  });

  it("reads at most two hundred fields and eight levels", () => {
    expect(leavesOf(Array.from({ length: 300 }, (_, at) => at)).size).toBe(200);
    const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ in: inner }), 1);
    expect([...leavesOf(deep).keys()]).toEqual(["/in".repeat(8)]);
  });
});

it("takes each mentioned member once, and no longer word for one", () => {
  const id = "mbr_01jd8x0000000000000000000g";
  expect(mentionsIn(`@${id}, @${id}! @${id}x mbr_01jd8x0000000000000000000h`)).toEqual([id]);
});
