import fc from "fast-check";
import { expect, it } from "vitest";
import { shiftOf } from "./calibration.ts";

const rated = (count: number, good: boolean, probability = 0.8) =>
  Array.from({ length: count }, () => ({ probability, good }));

it("moves nothing without ratings, and hardly where answers are as good as was said", () => {
  expect(shiftOf([])).toBe(0);
  expect(Math.abs(shiftOf([...rated(8, true), ...rated(2, false)]))).toBeLessThan(0.01);
});

it("lowers the odds by bad ratings, the further the more there are, and never beyond its bound", () => {
  const shifts = [1, 5, 50, 5_000].map((count) => shiftOf(rated(count, false)));
  expect(shifts).toEqual([...shifts].sort((a, b) => b - a));
  expect(shifts[0]).toBeGreaterThan(-0.7);
  expect(shifts.at(-1)).toBe(-2);
});

it("is higher for each rating that turns from bad to good", () => {
  const one = fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), good: fc.boolean() });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 40 }), fc.nat(), (all, at) => {
      const better = all.with(at % all.length, { ...(all[at % all.length] as (typeof all)[number]), good: true });
      expect(shiftOf(better)).toBeGreaterThanOrEqual(shiftOf(all) - 1e-9);
    }),
  );
});
