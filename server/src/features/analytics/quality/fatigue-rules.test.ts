import { betaCumulative } from "@aos/statistics";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decision, findSigns, fisherAtLeast, runAtLeast, type SignKind } from "./fatigue-rules.ts";

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

type Change = (decision: Decision, random: () => number) => Decision;
const asIs: Change = (decision) => decision;

/** A person who looks: changes 15 %, is quick in 5 %, and takes three times as long for high risk. */
function looking(approver: string, n: number, random: () => number, change: Change = asIs): Decision[] {
  return Array.from({ length: n }, () => {
    const plain = random() > 0.15;
    const risk = random() < 0.4 ? "high" : "low";
    const pace = 20_000 * (risk === "high" ? 3 : 1) * Math.exp(1.2 * (random() + random() - 1));
    const ms = random() < 0.05 ? 2_000 : pace;
    const agreed = random() < 0.5 ? random() > 0.1 : null;
    return change({ approver, plain, approved: plain || random() < 0.5, ms, risk, agreed }, random);
  });
}

const team = (random: () => number, last: Change = asIs, n = 120): Decision[] => [
  ...["ann", "bob", "cho"].flatMap((name) => looking(name, n, random)),
  ...looking("dan", n, random, last),
];

const signsOf = (decisions: readonly Decision[], approver = "dan"): SignKind[] =>
  findSigns(decisions)
    .approvers.get(approver)
    ?.signs.map(({ sign }) => sign) ?? [];

describe("signs of approvals without a look", () => {
  it("are rarely shown of anybody where all look", () => {
    const random = randomOf(3);
    let shown = 0;
    for (let run = 0; run < 300; run++)
      if ([...findSigns(team(random)).approvers.values()].some(({ signs }) => signs.length > 0)) shown++;
    expect(shown / 300).toBeLessThanOrEqual(0.05);
  });

  const cases: [SignKind, Change][] = [
    ["quick", (one, random) => (random() < 0.3 ? { ...one, ms: 1_500 } : one)],
    ["never_changes", (one) => ({ ...one, plain: true, approved: true })],
    ["approves_wrong", (one, random) => ({ ...one, agreed: one.agreed === null ? null : random() > 0.45 })],
    ["same_time_for_risk", (one, random) => ({ ...one, ms: 20_000 * Math.exp(random() - 0.5) })],
  ];
  it.each(cases)("%s is found in nine windows of ten", (sign, change) => {
    const random = randomOf(8);
    let found = 0;
    for (let run = 0; run < 100; run++) if (signsOf(team(random, change)).includes(sign)) found++;
    expect(found).toBeGreaterThanOrEqual(90);
  });

  it("say nothing of somebody with few decisions, nor without others to compare with", () => {
    const random = randomOf(5);
    const always: Change = (one) => ({ ...one, plain: true, approved: true, ms: 500 });
    const few = [...looking("ann", 200, random), ...looking("dan", 29, random, always)];
    expect(findSigns(few).approvers.get("dan")).toEqual({ decided: 29, enough: false, signs: [] });
    expect(signsOf(looking("dan", 200, random, always))).toEqual(["same_time_for_risk"]);
  });

  it("carry their numbers", () => {
    const { approvers } = findSigns(team(randomOf(2), (one) => ({ ...one, plain: true, approved: true })));
    const sign = approvers.get("dan")?.signs.find((one) => one.sign === "never_changes");
    expect(sign).toMatchObject({ n: 120, observed: 120, test: expect.any(String) });
    expect(sign?.text).toMatch(/^120 approvals in a row/);
    expect(sign?.expected).toBeLessThan(60);
  });
});

describe("the tests behind them", () => {
  it("count runs as all series do", () => {
    const arb = fc.record({ n: fc.integer({ min: 1, max: 10 }), length: fc.integer({ min: 1, max: 11 }) });
    fc.assert(
      fc.property(arb, fc.double({ min: 0.05, max: 0.95, noNaN: true }), ({ n, length }, p) => {
        let exact = 0;
        for (let mask = 0; mask < 2 ** n; mask++) {
          const bits = mask.toString(2).padStart(n, "0");
          const ones = bits.split("1").length - 1;
          if (bits.includes("1".repeat(length))) exact += p ** ones * (1 - p) ** (n - ones);
        }
        expect(runAtLeast(length, n, p)).toBeCloseTo(exact, 9);
      }),
    );
  });

  it("have Fisher's p-values", () => {
    // Fisher's tea: 3 of 4 against 1 of 4.
    expect(fisherAtLeast(3, 4, 1, 4)).toBeCloseTo(17 / 70, 12);
    // Against very many others it is the binomial.
    expect(fisherAtLeast(9, 30, 100_000, 1_000_000)).toBeCloseTo(betaCumulative(0.1, 9, 22), 4);
  });
});
