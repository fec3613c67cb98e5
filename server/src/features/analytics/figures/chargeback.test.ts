import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inMicros } from "./operations/read-chargeback.ts";

describe("a bill in whole millionths of a dollar", () => {
  it("sums exactly to its total, each line at most a millionth off", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e12 }), { maxLength: 200 }), (nanos) => {
        const { each, total } = inMicros(nanos);
        expect(each.reduce((sum, micros) => sum + micros, 0)).toBe(total);
        expect(total).toBe(Math.round(nanos.reduce((sum, amount) => sum + amount, 0) / 1_000));
        for (const [at, micros] of each.entries())
          expect(Math.abs(micros * 1_000 - (nanos[at] as number))).toBeLessThan(1_000);
      }),
    );
  });

  it("gives what is left over to the line that lost most", () => {
    expect(inMicros([1_400, 1_700, 1_400])).toEqual({ each: [2, 2, 1], total: 5 });
  });
});
