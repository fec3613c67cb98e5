import { beforeAll, describe, expect, it } from "vitest";
import { createDrop, drawItem, itemShape } from "./population.ts";
import { createRandom } from "./random.ts";
import { type Simulation, simulate } from "./run.ts";
import { simulationTables } from "./tables.ts";

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("a small simulation", () => {
  let done: Simulation;
  beforeAll(() => {
    done = simulate(11, { releases: 300, orders: 1 });
  });
  const share = (release: RegExp, rule: string) =>
    done.gate.find((row) => release.test(row.release) && row.rule === rule)!;

  it("shows that any drop blocks half of what is harmless, and the gate one in thirty", () => {
    expect(share(/unchanged/, "any drop blocks").failed).toBeGreaterThan(0.4);
    // 3.6 % plus three standard errors of 300 releases.
    expect(share(/unchanged/, "gate, repeats added").failed).toBeLessThan(0.07);
  });

  it("shows that the gate catches drops of 6.5 points that simpler rules miss, once repeats were added", () => {
    const [spread, broken] = [/−6.5 points, every/, /−6.5 points, some/];
    expect(share(spread, "gate, repeats added").failed).toBeGreaterThan(0.98);
    expect(share(broken, "gate, repeats added").failed).toBeGreaterThan(0.9);
    expect(share(spread, "2 sigma, unpaired").open).toBeGreaterThan(0.13);
    for (const row of done.gate) expect(row.failed + row.inconclusive + row.open).toBeCloseTo(1, 12);
  });

  it("shows that ten reruns open the gate for hardly any version that is 6.5 points worse", () => {
    for (const drop of [/−6.5 points, every/, /−6.5 points, some/])
      expect(share(drop, "gate, ten reruns").ever_open).toBeLessThan(0.02);
  });

  it("shows that added repeats settle most of what was undecided", () => {
    const [first, grown] = [share(/unchanged/, "gate, first look"), share(/unchanged/, "gate, repeats added")];
    expect(first.inconclusive).toBeGreaterThan(0.08);
    expect(grown.inconclusive).toBeLessThan(first.inconclusive / 3);
    expect(grown.repeats).toBeGreaterThan(first.repeats);
  });

  it("shows that a tolerance of .02 leaves most unchanged versions undecided", () => {
    const [strict, start] = done.tolerances;
    expect(strict).toMatchObject({ tolerance: 0.02 });
    expect(strict!.inconclusive).toBeGreaterThan(0.4);
    expect(start!.inconclusive).toBeLessThan(0.1);
  });

  it("shows that trust scores hold on every stream, and where they cannot", () => {
    const of = (stream: string) => done.trust.streams.filter((row) => row.stream === stream);
    for (const stream of [
      "nobody judges",
      "1,500 honest labels",
      "wrong ones reported five times as often",
      "all judged",
    ]) {
      for (const row of of(stream)) {
        expect(row.ece).toBeLessThan(0.06);
        expect(row.brier - row.own_brier!).toBeLessThan(0.003);
      }
    }
    const [weak] = of("wrong ones reported five times as often");
    expect(weak!.ece_before).toBeGreaterThan(3 * weak!.ece);
    const late = of("15 days after a drop of 15 points, 2 % drawn");
    const sooner = of("15 days after a drop of 15 points, 10 % drawn");
    expect(late[0]!.off).toBeGreaterThan(0.04);
    expect(sooner.reduce((sum, row) => sum + row.off, 0)).toBeLessThan(late.reduce((sum, row) => sum + row.off, 0));
  });

  it("shows that tasks which nobody judged move no score, and that a low one tells another subject", () => {
    for (const { before, now } of done.trust.unjudged) expect([before > 0.05, Math.abs(now)]).toEqual([true, 0]);
    for (const { trust } of done.trust.strange) expect(trust).toBeGreaterThan(0.9);
  });

  it("prints every table with seed and configuration", () => {
    const text = simulationTables(done, false);
    expect(text).toContain("Seed 11");
    expect(text).toContain('"max_repeats":12');
    for (const word of ["any drop blocks", "ten reruns", "nobody judges", "harmless releases stopped", "ECE"])
      expect(text).toContain(word);
    expect(text).not.toMatch(/NaN|undefined/);
  });
});

describe("a simulation", () => {
  it("gives the same tables for the same seed, and others for another", () => {
    const tiny = (seed: number) => simulate(seed, { releases: 4, orders: 1 });
    expect(tiny(2)).toEqual(tiny(2));
    expect(tiny(2).trust).not.toEqual(tiny(3).trust);
  });
});

describe("what a simulation draws", () => {
  it("is the same for the same seed, and another for another seed or purpose", () => {
    const first = (seed: number, purpose: string) => Array.from({ length: 5 }, createRandom(seed, purpose).uniform);
    expect(first(3, "a")).toEqual(first(3, "a"));
    expect(first(3, "a")).not.toEqual(first(4, "a"));
    expect(first(3, "a")).not.toEqual(first(3, "b"));
  });

  it("has the moments of its distributions", () => {
    const random = createRandom(5, "moments");
    const many = (one: () => number) => Array.from({ length: 20_000 }, one);
    const normal = many(random.normal);
    expect(mean(normal)).toBeCloseTo(0, 1);
    expect(mean(normal.map((value) => value ** 2))).toBeCloseTo(1, 1);
    const beta = many(() => random.beta(0.4, 1.6));
    expect(mean(beta)).toBeCloseTo(0.2, 1);
    expect(mean(beta.map((value) => (value - 0.2) ** 2))).toBeCloseTo(0.16 / 3, 2);
    expect(mean(many(() => random.yes(0.3)))).toBeCloseTo(0.3, 1);
    expect(mean(many(random.uniform))).toBeCloseTo(0.5, 1);
  });

  it("falls by what it says, in either shape", () => {
    const random = createRandom(6, "drop");
    for (const shape of ["spread", "broken"] as const) {
      const change = createDrop(0.065, shape);
      const drops = Array.from({ length: 40_000 }, () => {
        const p = drawItem(random);
        return p - change(p, random);
      });
      expect(Math.abs(mean(drops) - 0.065)).toBeLessThan(0.006);
    }
    expect(createDrop(0, "spread")(itemShape.mean, random)).toBe(itemShape.mean);
  });
});
