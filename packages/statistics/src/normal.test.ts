import fc from "fast-check";
import { expect, it } from "vitest";
import { normalTail } from "./normal.ts";
import { studentCumulative } from "./student.ts";

it("is the tail of Student's distribution with very many degrees of freedom", () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (z) => {
      const student = studentCumulative(-z, 1e9);
      expect(Math.abs(normalTail(z) / student - 1)).toBeLessThan(1e-5);
    }),
  );
  expect(normalTail(1.959963984540054)).toBeCloseTo(0.025, 8);
});
