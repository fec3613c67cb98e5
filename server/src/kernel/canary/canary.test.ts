import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "./compare.ts";
import { type ArmSums, armInterval, countedArm, dueAt, lookAtCanary, lookLevels, outlookOf } from "./index.ts";
import { levelOf, nextLookAt } from "./spending.ts";

const rule = { tolerance: 0.05, most_judged: 1_000 };
const levels = { tolerance: 0.05, abort: 0.01, promote: 0.05 };
const pair = (canary: ArmSums, stable: ArmSums) => ({ canary, stable });
const counts = fc
  .integer({ min: 30, max: 400 })
  .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 1, max: n - 1 })));
const evidence = (canary: ArmSums, stable: ArmSums, judged = canary.tasks) => ({
  quality: [pair(canary, stable)],
  failures: [pair(countedArm(canary.tasks, canary.tasks), countedArm(stable.tasks, stable.tasks))],
  judged,
});

describe("the comparison of two arms", () => {
  it("says the opposite of the arms the other way round", () => {
    fc.assert(
      fc.property(counts, counts, ([n, a], [m, b]) => {
        const one = compare([pair(countedArm(n, a), countedArm(m, b))], levels);
        const other = compare([pair(countedArm(m, b), countedArm(n, a))], levels);
        expect(one?.difference).toBeCloseTo(-(other?.difference ?? 0), 12);
      }),
    );
  });

  it("is the textbook's for single tasks: Welch's standard error gives its interval", () => {
    const at = compare([pair(countedArm(200, 160), countedArm(400, 360))], levels);
    const error = Math.sqrt((0.8 * 0.2) / 199 + (0.9 * 0.1) / 399);
    expect(at?.difference).toBeCloseTo(-0.1, 12);
    expect(at?.high).toBeCloseTo(-0.1 + 1.967 * error, 3);
    expect(at?.p_worse).toBeLessThan(0.002);
  });

  it("is not moved by a share that was raised while all work became worse", () => {
    const before = pair(countedArm(50, 45), countedArm(450, 405));
    const after = pair(countedArm(400, 240), countedArm(400, 240));
    expect(compare([before, after], levels)?.difference).toBeCloseTo(0, 12);
  });

  it("takes tasks with one sticky key for one piece of evidence", () => {
    const single = countedArm(100, 80);
    const tenfold: ArmSums = { ...single, clusters: 10, ww: 10 * 100, wx: 80 * 10, xx: 8 * 100 };
    const width = (arm: ArmSums) => {
      const { low, high } = armInterval(arm);
      return (high ?? 1) - (low ?? 0);
    };
    expect(width(tenfold)).toBeGreaterThan(2 * width(single));
  });
});

describe("the error of looks", () => {
  it("is spent exactly: the first look has its part, and all together no more than the whole", () => {
    expect(levelOf([{ at: 100, spent: 0.01 }])).toBeCloseTo(0.01, 6);
    const plan = [50, 100, 200, 400].map((at, i) => ({ at, spent: 0.0125 * (i + 1) }));
    const each = plan.map((_look, i) => levelOf(plan.slice(0, i + 1)));
    for (const level of each.slice(1)) expect(level).toBeGreaterThan(0.0125); // looks hang together
    expect(each.at(-1)).toBeLessThan(0.05);
    // Five looks of Pocock's at .05 two-sided have the nominal level .0158 each (Jennison and Turnbull, table 2.1).
    const pocock = [0.0079, 0.01379, 0.01827, 0.02182, 0.025].map((spent, i) => ({ at: i + 1, spent }));
    expect(levelOf(pocock)).toBeCloseTo(0.0079, 3);
  });

  it("lets a look decide wherever it comes, and ends spending on promotion with the limit", () => {
    let judged = 0;
    const looks: number[] = [];
    while (judged < 3_000) {
      judged = nextLookAt(judged, rule.most_judged);
      expect(judged).toBe(dueAt(looks, rule));
      const { abort, promote } = lookLevels(looks, judged, rule.most_judged);
      expect(abort.quality).toBeGreaterThan(0);
      expect(promote > 0).toBe(judged <= 1_000);
      looks.push(judged);
    }
    expect(looks).toContain(1_000);
  });
});

describe("a look", () => {
  it("holds where nobody judged, on either side", () => {
    for (const [canary, stable] of [
      [countedArm(0, 0), countedArm(300, 270)],
      [countedArm(300, 270), countedArm(0, 0)],
    ] as const)
      expect(lookAtCanary(evidence(canary, stable, 300), [], rule).verdict).toBe("undecided");
  });

  it("finds a canary worse that fails more, whatever people accepted", () => {
    const good = [pair(countedArm(60, 60), countedArm(60, 60))];
    const failures = [pair(countedArm(100, 50), countedArm(100, 99))];
    const look = lookAtCanary({ quality: good, failures, judged: 110 }, [], rule);
    expect(look).toMatchObject({
      verdict: "worse",
      text: expect.stringMatching(/^The canary fails more by 49.0 points/),
    });
  });

  it("keeps one no worse until it is worse", () => {
    const before = [{ judged: 400, verdict: "no_worse" as const }];
    expect(lookAtCanary(evidence(countedArm(534, 470), countedArm(534, 480)), before, rule).verdict).toBe("no_worse");
    expect(lookAtCanary(evidence(countedArm(534, 300), countedArm(534, 480)), before, rule).verdict).toBe("worse");
  });

  it("leads to what more of the same would show", () => {
    const same = evidence(countedArm(100, 90), countedArm(900, 810));
    const { verdict, needed } = outlookOf(same, [], rule);
    expect(verdict).toBe("no_worse");
    expect(needed).toBeGreaterThan(0);
    expect(outlookOf(evidence(countedArm(100, 80), countedArm(900, 810)), [], rule).verdict).toBe("worse");
  });
});
