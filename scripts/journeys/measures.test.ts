import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaUnderCurve, type Likelihood, shareOf } from "./measures.ts";

const cases = (...pairs: [number, boolean][]): Likelihood[] =>
  pairs.map(([likelihood, came]) => ({ likelihood, came }));

describe("the area under the curve", () => {
  it("is 1 where all that came were likelier, 0 where none was, a half where nothing was said", () => {
    expect(areaUnderCurve(cases([0.9, true], [0.8, true], [0.2, false]))).toBe(1);
    expect(areaUnderCurve(cases([0.1, true], [0.8, false], [0.2, false]))).toBe(0);
    expect(areaUnderCurve(cases([0.5, true], [0.5, false], [0.5, false]))).toBe(0.5);
  });

  it("is unknown where all or none came", () => {
    expect(areaUnderCurve(cases([0.9, true]))).toBeNull();
    expect(areaUnderCurve([])).toBeNull();
  });

  it("is the share of pairs that are in the right order", () => {
    const some = fc.array(
      fc.record({ likelihood: fc.integer({ min: 0, max: 9 }).map((n) => n / 10), came: fc.boolean() }),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(some, (given) => {
        const pairs = given
          .filter(({ came }) => came)
          .flatMap((a) => given.filter(({ came }) => !came).map((b) => a.likelihood - b.likelihood));
        const right = pairs.reduce((sum, gap) => sum + (gap > 0 ? 1 : gap === 0 ? 0.5 : 0), 0);
        const area = areaUnderCurve(given);
        if (pairs.length === 0) expect(area).toBeNull();
        else expect(area).toBeCloseTo(right / pairs.length, 12);
      }),
    );
  });
});

it("answers the share of true ones, and none of nothing", () => {
  expect(shareOf([true, false, true, true])).toBe(0.75);
  expect(shareOf([])).toBeNull();
});
