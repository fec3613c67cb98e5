import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type ArmSums, armInterval, compare, countedArm } from "./compare.ts";
import { dueAt, lookAtCanary, lookLevels, outlookOf } from "./decide.ts";
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
      expect([promote.quality > 0, promote.failures > 0]).toEqual([judged <= 1_000, judged <= 1_000]);
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

describe("no failure on either side", () => {
  const better = [pair(countedArm(100, 98), countedArm(100, 60))];
  const before = [25, 50, 75].map((judged) => ({ judged, verdict: "undecided" as const }));
  const lookWith = (canary: ArmSums, stable: ArmSums) =>
    lookAtCanary({ quality: better, failures: [pair(canary, stable)], judged: 100 }, before, rule);
  const allEnded = (n: number) => countedArm(n, n);

  it("is no obstacle to a better canary once so many tasks would have shown a failure", () => {
    expect(lookWith(allEnded(150), allEnded(150)).verdict).toBe("no_worse");
    expect(lookWith(allEnded(150), countedArm(150, 149)).verdict).toBe("no_worse");
  });

  it("excludes a drop by the exact chance that it stays unseen, which the live version's tasks do not change", () => {
    const { failures } = lookWith(allEnded(150), allEnded(900));
    expect(failures?.p_holds).toBeCloseTo(0.95 ** 150, 12);
    expect(failures?.promote_at).toBeLessThan(0);
  });

  it("holds a better canary with few tasks, and says that failures hold it and how many more tasks they need", () => {
    const { verdict, text, levels: at } = lookWith(allEnded(40), allEnded(38));
    expect(verdict).toBe("undecided");
    expect(text).toMatch(/^A drop by 5.0 points in accepted tasks is excluded: 98.0 % of 100 judged tasks/);
    expect(text).toMatch(
      / failures: 0 of 40 ended tasks against 0 of 38 cannot rule out 5\.0 points more yet; about \d+ more ended tasks of the canary are needed\.$/,
    );
    const more = Number(/about (\d+) more/.exec(text)?.[1]);
    expect(0.95 ** (40 + more)).toBeLessThanOrEqual(at.promote.failures);
    expect(0.95 ** (40 + more - 1)).toBeGreaterThan(at.promote.failures);
    expect(lookWith(allEnded(40 + more), allEnded(38 + more)).verdict).toBe("no_worse");
  });

  it("says of failures that grew beyond the tolerance no number of tasks", () => {
    const { text } = lookWith(countedArm(40, 37), countedArm(40, 40));
    expect(text).toMatch(/ failures: 3 of 40 ended tasks against 0 of 40 cannot rule out 5\.0 points more yet\.$/);
  });

  it("names both measures where neither excludes a drop", () => {
    const quality = [pair(countedArm(40, 36), countedArm(40, 36))];
    const few = { quality, failures: [pair(allEnded(40), allEnded(38))], judged: 40 };
    expect(lookAtCanary(few, [], rule).text).toMatch(
      /^Neither a drop nor its absence is shown yet: .* failures: 0 of 40/,
    );
  });

  it("is never more of an obstacle with more tasks on either side", () => {
    const some = fc.integer({ min: 5, max: 2_000 });
    fc.assert(
      fc.property(some, some, some, some, (n, m, moreN, moreM) => {
        const [few, many] = [lookWith(allEnded(n), allEnded(m)), lookWith(allEnded(n + moreN), allEnded(m + moreM))];
        expect(many.failures?.p_holds).toBeLessThanOrEqual(few.failures?.p_holds ?? 1);
        if (few.verdict === "no_worse") expect(many.verdict).toBe("no_worse");
      }),
      { numRuns: 50 },
    );
  });

  it("counts the stage with the fewest tasks for its weight, where the share was changed", () => {
    const stages = [pair(allEnded(20), allEnded(180)), pair(allEnded(200), allEnded(200))];
    const at = compare(stages, levels);
    expect(at?.p_holds).toBeGreaterThan(0.95 ** 220);
    expect(at?.p_holds).toBeLessThan(0.95 ** 100);
  });
});
