import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backtest, type ComingDay, forecast, type SpentDay } from "./forecast.ts";

const daysOf = (count: number, spent: (at: number) => number): SpentDay[] =>
  Array.from({ length: count }, (_, at) => ({ weekday: at % 7, spent: spent(at) }));
const comingAfter = (count: number, days: number): ComingDay[] =>
  Array.from({ length: days }, (_, at) => ({ weekday: (count + at) % 7, part: 1 }));
const amounts = (from: number, to: number) =>
  fc.array(fc.double({ min: 0, max: 1_000, noNaN: true }), { minLength: from, maxLength: to });

/** Chance that only the seed decides: mulberry32, and normal numbers by Box and Muller. */
function chance(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

describe("the forecast of costs", () => {
  it("is exact for days that follow a trend and their weekdays", () => {
    const spent = (at: number): number => 20 + 0.5 * at + ([5, 0, 0, 1, 2, -8, -9][at % 7] as number);
    const told = forecast(daysOf(30, spent), comingAfter(30, 12));
    expect(told?.method).toBe("trend_and_weekdays");
    for (const [at, day] of (told?.days ?? []).entries()) expect(day.value).toBeCloseTo(spent(30 + at), 6);
    const { value, low95, high95 } = told?.sum ?? { value: 0, low95: 0, high95: 0 };
    expect(high95 - low95).toBeLessThan(1e-3 * value);
  });

  it("repeats the week before where there is less than two weeks, and says nothing of less than three days", () => {
    const told = forecast(
      daysOf(10, (at) => at),
      comingAfter(10, 7),
    );
    expect(told?.method).toBe("seasonal_naive");
    expect(told?.days.map(({ value }) => value)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(
      forecast(
        daysOf(4, () => 2),
        comingAfter(4, 3),
      )?.sum.value,
    ).toBe(6);
    expect(
      forecast(
        daysOf(2, () => 2),
        comingAfter(2, 3),
      ),
    ).toBeNull();
  });

  it("has nested intervals that are never below nothing, and scales with its amounts", () => {
    fc.assert(
      fc.property(amounts(3, 70), fc.integer({ min: 1, max: 31 }), (spent, ahead) => {
        const past = daysOf(spent.length, (at) => spent[at] as number);
        const coming = comingAfter(spent.length, ahead);
        const told = forecast(past, coming);
        const twice = forecast(
          daysOf(spent.length, (at) => 2 * (spent[at] as number)),
          coming,
        );
        for (const one of [...(told?.days ?? []), told?.sum]) {
          if (!one) throw new Error("there is a forecast of three days or more");
          expect(one.low95).toBeGreaterThanOrEqual(0);
          expect(one.low95).toBeLessThanOrEqual(one.low80);
          expect(one.low80).toBeLessThanOrEqual(one.value + 1e-9);
          expect(one.value).toBeLessThanOrEqual(one.high80 + 1e-9);
          expect(one.high80).toBeLessThanOrEqual(one.high95);
        }
        expect(twice?.sum.value).toBeCloseTo(2 * (told?.sum.value ?? 0), 4);
      }),
    );
  });

  it.each([
    [15, 12],
    [42, 20],
  ])("covers what came, learnt from %i days for %i days", (learnt, ahead) => {
    const normal = chance(learnt);
    let [inside80, inside95] = [0, 0];
    const runs = 600;
    for (let run = 0; run < runs; run++) {
      const all = daysOf(learnt + ahead, (at) => 100 + 0.7 * at + (at % 7 > 4 ? -40 : 0) + 10 * normal());
      const told = forecast(all.slice(0, learnt), comingAfter(learnt, ahead))?.sum;
      const came = all.slice(learnt).reduce((sum, { spent }) => sum + spent, 0);
      if (told && told.low80 <= came && came <= told.high80) inside80++;
      if (told && told.low95 <= came && came <= told.high95) inside95++;
    }
    expect(inside80 / runs).toBeGreaterThan(0.76);
    expect(inside80 / runs).toBeLessThan(0.84);
    expect(inside95 / runs).toBeGreaterThan(0.93);
    expect(inside95 / runs).toBeLessThan(0.97);
  });
});

describe("looking back", () => {
  it("tells the error and the coverage of forecasts of the last weeks, each from what was known before", () => {
    const normal = chance(7);
    const told = backtest(daysOf(56, (at) => 50 + (at % 7) + 2 * normal()));
    expect(told).toMatchObject({ forecasts: 4 });
    expect(told?.relativeError).toBeLessThan(0.1);
    expect(told?.covered95).toBeGreaterThan(0.8);
    expect(backtest(daysOf(10, () => 1))).toBeNull();
    expect(backtest(daysOf(30, () => 0))?.relativeError).toBeNull();
  });
});
