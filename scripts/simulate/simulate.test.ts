import { beforeAll, describe, expect, it } from "vitest";
import { createDrop, drawItem, itemShape } from "./population.ts";
import { createRandom } from "./random.ts";
import { type Simulation, simulate } from "./run.ts";
import { simulationTables } from "./tables.ts";

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("a small simulation", () => {
  let done: Simulation;
  beforeAll(() => {
    done = simulate(11, { releases: 300, agents: 12, tasks: 60, labels: [0, 200] });
  });
  const share = (release: RegExp, rule: string) => done.gate.find((row) => release.test(row.release) && row.rule === rule)!;

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
    for (const drop of [/−6.5 points, every/, /−6.5 points, some/]) expect(share(drop, "gate, ten reruns").ever_open).toBeLessThan(0.02);
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

  it("shows that 200 labels mend a score that a biased judge and wrong weights have bent", () => {
    const [before, after] = done.trust.filter(({ world }) => world === "mis-specified, biased judge");
    expect([before!.labels, after!.labels]).toEqual([0, 200]);
    expect(before!.ece).toBeGreaterThan(0.15);
    expect(after!.ece).toBeLessThan(0.06);
    expect(after!.brier).toBeLessThan(before!.brier);
    expect(after!.adopted).toBeGreaterThan(0.9);
    const well = done.trust.filter(({ world }) => world === "well specified");
    expect(well[1]!.ece).toBeLessThan(well[0]!.ece + 0.02);
  });

  it("prints every table with seed and configuration", () => {
    const text = simulationTables(done, false);
    expect(text).toContain("Seed 11");
    expect(text).toContain('"max_repeats":12');
    for (const word of ["any drop blocks", "ten reruns", "biased judge", "harmless releases stopped", "ECE"]) expect(text).toContain(word);
    expect(text).not.toMatch(/NaN|undefined/);
  });
});

describe("a simulation", () => {
  it("gives the same tables for the same seed, and others for another", () => {
    const tiny = (seed: number) => simulate(seed, { releases: 4, agents: 2, tasks: 10, labels: [0, 200] });
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
