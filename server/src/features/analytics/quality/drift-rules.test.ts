import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf, findChanges, type SeriesWindow, wilson } from "./drift-rules.ts";

/** Numbers in [0, 1) by a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

type Draw = (random: () => number, share: number) => number;
const bernoulli: Draw = (random, p) => (random() < p ? 1 : 0);
/** A score around `level` whose spread the finder does not know. */
const score: Draw = (random, level) => level + 0.15 * (random() + random() + random() - 1.5);

/** 30 windows whose level is `before` in the first `split` of them, with `each` things a side. */
function drawn(
  random: () => number,
  { before, after, split = 15, each = 300, draw = bernoulli }: Drawn,
): SeriesWindow[] {
  return Array.from({ length: 30 }, (_, index) => {
    const n = Math.round(index < split ? each / split : each / (30 - split));
    let sum = 0;
    for (let one = 0; one < n; one++) sum += draw(random, index < split ? before : after);
    return { n, sum };
  });
}
interface Drawn {
  readonly before: number;
  readonly after: number;
  readonly split?: number;
  readonly each?: number;
  readonly draw?: Draw;
}

const runs = 400;
function found(settings: Drawn, kind: "rate" | "mean" = "rate"): number {
  const random = randomOf(7);
  let count = 0;
  for (let run = 0; run < runs; run++) if (findChanges(drawn(random, settings), kind).length > 0) count++;
  return count / runs;
}

describe("marks of drift", () => {
  // Of 400 runs at 5 %, more than 7.4 % happen once in a hundred.
  it.each([0.5, 0.8, 0.9, 0.97])("rarely stand on a rate that stays at %d", (p) => {
    expect(found({ before: p, after: p })).toBeLessThanOrEqual(0.074);
  });

  it("rarely stand on a mean that stays, whatever its spread", () => {
    expect(found({ before: 0.8, after: 0.8, draw: score }, "mean")).toBeLessThanOrEqual(0.074);
  });

  it.each([
    [0.9, 0.8, 15],
    [0.9, 0.8, 7],
    [0.95, 0.85, 15],
  ])("find a drop from %d to %d with 300 a side, the change after window %i", (before, after, split) => {
    const share = found({ before, after, split });
    expect(share).toBeGreaterThanOrEqual(0.9);
  });

  it("find a drop of trust scores of ten points with 60 a side", () => {
    expect(found({ before: 0.85, after: 0.75, each: 60, draw: score }, "mean")).toBeGreaterThanOrEqual(0.9);
  });

  it("stand near the change, with both levels and an interval of the difference", () => {
    const [change, ...more] = findChanges(drawn(randomOf(3), { before: 0.95, after: 0.7, split: 12 }), "rate");
    expect(more).toEqual([]);
    expect(Math.abs((change?.at as number) - 12)).toBeLessThanOrEqual(2);
    expect(change?.before).toMatchObject({ n: expect.any(Number), value: expect.closeTo(0.95, 1) });
    expect(change?.difference.high).toBeLessThan(0);
    expect(change?.p_value).toBeLessThan(0.001);
  });

  it("tell a drop and its recovery apart", () => {
    const random = randomOf(11);
    const series = [0.95, 0.7, 0.95].flatMap((p) => drawn(random, { before: p, after: p, each: 200 }).slice(0, 15));
    const changes = findChanges(series, "rate");
    expect(changes.map(({ difference }) => Math.sign(difference.value))).toEqual([-1, 1]);
  });

  it("heed that windows scatter more than chance", () => {
    const random = randomOf(5);
    let alarms = 0;
    for (let run = 0; run < 200; run++) {
      const series = Array.from({ length: 30 }, () => {
        const p = 0.7 + 0.28 * random();
        let sum = 0;
        for (let one = 0; one < 100; one++) sum += bernoulli(random, p);
        return { n: 100, sum };
      });
      if (findChanges(series, "rate").length > 0) alarms++;
    }
    expect(alarms / 200).toBeLessThanOrEqual(0.09);
  });

  it("say nothing of too little, and never fail", () => {
    expect(findChanges([], "rate")).toEqual([]);
    const window = fc
      .integer({ min: 0, max: 40 })
      .chain((n) => fc.record({ n: fc.constant(n), sum: fc.double({ min: 0, max: n, noNaN: true }) }));
    fc.assert(
      fc.property(
        fc.array(window, { maxLength: 90 }),
        fc.constantFrom("rate" as const, "mean" as const),
        (series, kind) => {
          for (const { at, before, after, p_value } of findChanges(series, kind)) {
            expect(series[at]?.n).toBeGreaterThan(0);
            expect(before.n + after.n).toBeLessThanOrEqual(series.reduce((all, { n }) => all + n, 0));
            expect(p_value).toBeLessThanOrEqual(0.05);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("intervals", () => {
  it("are Wilson's and Newcombe's of the textbook", () => {
    // Newcombe (1998), table II: 56/70 against 48/80 has .0524 to .3339.
    const difference = differenceOf(wilson(48, 80), wilson(56, 70));
    expect([difference.low.toFixed(4), difference.high.toFixed(4)]).toEqual(["0.0524", "0.3339"]);
  });
});
