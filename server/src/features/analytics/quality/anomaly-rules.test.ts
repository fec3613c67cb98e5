import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anomalyRules, findSilences, type HourSeries, judgeHours, judgeValue, weeksBefore } from "./anomaly-rules.ts";

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function poisson(mean: number, random: () => number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let [k, product] = [0, random()];
  for (const limit = Math.exp(-mean); product > limit; k++) product *= random();
  return k;
}

const week = 168;
const day = 24;
/** Nine weeks of which the last day is looked at: busy by day, little at night and at weekends. */
function usual(random: () => number, kind: "count" | "amount" = "count"): HourSeries {
  const values = Array.from({ length: 9 * week }, (_, hour) => {
    const [weekday, of] = [Math.floor(hour / day) % 7, hour % day];
    const mean = (weekday < 5 ? 1 : 0.2) * (of >= 8 && of < 18 ? 80 : 8);
    const number = poisson(mean * Math.exp(0.15 * normal(random)), random);
    return kind === "count" ? number : number * 0.02 * Math.exp(0.3 * normal(random));
  });
  return { values, from: values.length - 3 * day, kind };
}

const threshold = (hours: number) => anomalyRules.level / hours;
const alarms = (series: HourSeries) => {
  const judged = judgeHours(series);
  return judged.filter(({ pHigh }) => pHigh <= threshold(judged.length));
};
const changed = (series: HourSeries, hour: number, change: (value: number) => number): HourSeries => ({
  ...series,
  values: series.values.map((value, at) => (at === hour && value !== null ? change(value) : value)),
});

describe("unusual hours", () => {
  it.each(["count", "amount"] as const)("are rarely seen in usual weeks, by %s", (kind) => {
    const random = randomOf(4);
    let seen = 0;
    for (let run = 0; run < 150; run++) if (alarms(usual(random, kind)).length > 0) seen++;
    // Of 150 answers at 5 %, more than 15 with something happen less than once in a hundred.
    expect(seen).toBeLessThanOrEqual(15);
  });

  it("are found by night as by day, where the same number is usual at another hour", () => {
    const random = randomOf(9);
    let found = 0;
    for (let run = 0; run < 50; run++) {
      const series = usual(random);
      const night = series.values.length - day + 3;
      if (alarms(changed(series, night, () => 80)).some(({ hour }) => hour === night)) found++;
    }
    expect(found).toBeGreaterThanOrEqual(48);
  });

  it("are found in amounts of five times what is usual", () => {
    const random = randomOf(6);
    let found = 0;
    for (let run = 0; run < 50; run++) {
      const series = usual(random, "amount");
      const noon = series.values.length - 3 * day + 12;
      if (alarms(changed(series, noon, (value) => 5 * value)).some(({ hour }) => hour === noon)) found++;
    }
    expect(found).toBeGreaterThanOrEqual(40);
  });

  it("are not hidden by one wild week before", () => {
    const series = usual(randomOf(2));
    const night = series.values.length - day + 3;
    const wild = changed(series, night - 2 * week, () => 3_000);
    expect(alarms(changed(wild, night, () => 80)).map(({ hour }) => hour)).toContain(night);
  });

  it("are told of only after four weeks", () => {
    const { values } = usual(randomOf(1));
    const young = { values: values.slice(-4 * week), from: 4 * week - day, kind: "count" as const };
    expect(judgeHours(young)).toEqual([]);
    expect(weeksBefore(young)).toBe(3);
    expect(judgeValue(5, [1, 2, 3], "plain")).toBeNull();
  });

  it("never fail, and lie outside what is usual", () => {
    const value = fc.option(fc.integer({ min: 0, max: 50 }), { nil: null });
    const series = fc.record({
      values: fc.array(value, { maxLength: 1_000, minLength: 800, size: "max" }),
      from: fc.integer({ min: 700, max: 790 }),
      kind: fc.constantFrom("count" as const, "amount" as const, "plain" as const),
    });
    fc.assert(
      fc.property(series, (one) => {
        for (const { observed, high, low, pHigh, pLow } of judgeHours(one)) {
          expect(pHigh + pLow).toBeCloseTo(1, 6);
          if (pHigh < 0.02) expect(observed).toBeGreaterThan(high - 1e-9);
          if (pLow < 0.02) expect(observed).toBeLessThan(low + 1e-9);
        }
        findSilences(one);
      }),
      { numRuns: 15 },
    );
  });
});

describe("silence", () => {
  const silent = (series: HourSeries, from: number, to: number): HourSeries => ({
    ...series,
    values: series.values.map((value, at) => (at >= from && at < to ? 0 : value)),
  });

  it("is found where tasks usually come, and not in quiet hours", () => {
    const series = usual(randomOf(3));
    const morning = series.values.length - 3 * day + 9;
    const found = findSilences(silent(series, morning, morning + 2)).find(({ from }) => from === morning);
    expect(found).toMatchObject({ from: morning, to: morning + 2, n: 6 });
    expect(found?.p).toBeLessThan(1e-9);
    const quiet = { ...series, values: series.values.map((_, at) => (at % week === 12 ? 1 : 0)) };
    expect(findSilences(quiet).every(({ p }) => p > 0.3)).toBe(true);
  });
});
