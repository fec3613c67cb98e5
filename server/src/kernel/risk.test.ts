import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environments } from "./principal.ts";
import {
  approvalDemand,
  assessRisk,
  dataClasses,
  type RiskInputs,
  type RiskLevel,
  riskLevels,
  startRiskConfig,
} from "./risk.ts";

const harmless: RiskInputs = {
  data: "public",
  reversible: true,
  external: false,
  money: 0,
  persons: 1,
  unattended: false,
  trust_low: 1,
  critical_finding: false,
  mitigation: 0,
};
const risk = (change: Partial<RiskInputs>) => assessRisk({ ...harmless, ...change });
const rank = (level: RiskLevel) => riskLevels.indexOf(level);

const anyInputs: fc.Arbitrary<RiskInputs> = fc.record({
  data: fc.constantFrom(...dataClasses),
  reversible: fc.boolean(),
  external: fc.boolean(),
  money: fc.oneof(fc.constantFrom(0, 100, 1000, 10_000), fc.double({ min: 0, max: 20_000, noNaN: true })),
  persons: fc.oneof(fc.constantFrom(0, 1, 10, 100, 1000), fc.nat(2000)),
  unattended: fc.boolean(),
  trust_low: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000),
  critical_finding: fc.boolean(),
  mitigation: fc.integer({ min: 0, max: 4 }),
});

describe("risk", () => {
  it("takes the impact from the worst of data, reversibility, reach, money and persons", () => {
    expect(dataClasses.map((data) => risk({ data }).impact)).toEqual([0, 1, 2, 2, 4]);
    expect([0, 0.01, 100, 100.01, 1000, 10_000, 10_000.01].map((money) => risk({ money }).impact)).toEqual([
      0, 1, 1, 2, 2, 3, 4,
    ]);
    expect([0, 1, 2, 10, 11, 100, 1000, 1001].map((persons) => risk({ persons }).impact)).toEqual([
      0, 0, 1, 1, 2, 2, 3, 4,
    ]);
    expect(risk({ reversible: false }).impact).toBe(2);
    expect(risk({ external: true }).impact).toBe(2);
    expect(risk({ external: true, data: "internal", money: 5000 }).impact).toBe(3);
  });

  it("adds one for what is irreversible and unattended, up to four", () => {
    expect(risk({ reversible: false, unattended: true }).impact).toBe(3);
    expect(risk({ reversible: true, unattended: true }).impact).toBe(0);
    expect(risk({ reversible: false, unattended: true, data: "restricted" }).impact).toBe(4);
  });

  it("takes the likelihood from the doubt that trust leaves", () => {
    const table: [number, number][] = [
      [1, 0],
      [0.9501, 0],
      [0.95, 1],
      [0.8501, 1],
      [0.85, 2],
      [0.7001, 2],
      [0.7, 3],
      [0.5001, 3],
      [0.5, 4],
      [0.1958, 4],
      [0, 4],
    ];
    for (const [trust_low, likelihood] of table)
      expect(risk({ trust_low }).likelihood, String(trust_low)).toBe(likelihood);
  });

  it("is twice the impact plus the likelihood, in four levels", () => {
    const level = (impactOf: Partial<RiskInputs>, trust_low: number) => risk({ ...impactOf, trust_low });
    expect(level({ data: "internal" }, 0.9)).toMatchObject({ score: 3, level: "low" });
    expect(level({ data: "internal" }, 0.8)).toMatchObject({ score: 4, level: "medium" });
    expect(level({ data: "personal" }, 0.8)).toMatchObject({ score: 6, level: "medium" });
    expect(level({ data: "personal" }, 0.6)).toMatchObject({ score: 7, level: "high" });
    expect(level({ money: 2000 }, 0.6)).toMatchObject({ score: 9, level: "high" });
    expect(level({ money: 2000 }, 0.4)).toMatchObject({ score: 10, level: "critical" });
    expect(level({ money: 20_000 }, 0)).toMatchObject({ score: 12, level: "critical" });
  });

  it("keeps its floors and says which hold", () => {
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const { level, floors } = assessRisk(inputs);
        const rules = floors.map((floor) => floor.rule);
        expect(rules.includes("restricted_data")).toBe(inputs.data === "restricted");
        expect(rules.includes("irreversible_external")).toBe(!inputs.reversible && inputs.external);
        expect(rules.includes("critical_finding")).toBe(inputs.critical_finding);
        for (const floor of floors) expect(rank(level)).toBeGreaterThanOrEqual(rank(floor.level));
        if (inputs.critical_finding) expect(level).toBe("critical");
      }),
    );
    expect(risk({ reversible: false, external: true }).level).toBe("high");
    expect(risk({ data: "restricted" })).toMatchObject({ score: 8, level: "high" });
  });

  it("never falls when any one input grows worse", () => {
    const worse: fc.Arbitrary<(inputs: RiskInputs) => Partial<RiskInputs>> = fc.oneof(
      fc
        .constantFrom(...dataClasses)
        .map(
          (data) => (now: RiskInputs) => (startRiskConfig.data[data] >= startRiskConfig.data[now.data] ? { data } : {}),
        ),
      fc.constant(() => ({ reversible: false })),
      fc.constant(() => ({ external: true })),
      fc.constant(() => ({ unattended: true })),
      fc.constant(() => ({ critical_finding: true })),
      fc.nat(20_000).map((more) => (now: RiskInputs) => ({ money: now.money + more })),
      fc.nat(2000).map((more) => (now: RiskInputs) => ({ persons: now.persons + more })),
      fc
        .integer({ min: 0, max: 10_000 })
        .map((less) => (now: RiskInputs) => ({ trust_low: Math.min(now.trust_low, less / 10_000) })),
      fc.nat(4).map((mitigation) => (now: RiskInputs) => ({ mitigation: Math.min(now.mitigation, mitigation) })),
    );
    fc.assert(
      fc.property(anyInputs, worse, (inputs, change) => {
        const before = assessRisk(inputs);
        const after = assessRisk({ ...inputs, ...change(inputs) });
        expect(after.score).toBeGreaterThanOrEqual(before.score);
        expect(rank(after.level)).toBeGreaterThanOrEqual(rank(before.level));
      }),
    );
  });

  it("lets mitigation lower the likelihood only", () => {
    fc.assert(
      fc.property(anyInputs, fc.nat(4), (inputs, mitigation) => {
        const [with_, without] = [assessRisk({ ...inputs, mitigation }), assessRisk({ ...inputs, mitigation: 0 })];
        expect(with_.impact).toBe(without.impact);
        expect(with_.likelihood).toBe(Math.max(0, without.likelihood - mitigation));
      }),
    );
  });

  it("names a change that lowers the level, and no other single change lowers it further", () => {
    const values: { [Name in keyof RiskInputs]: RiskInputs[Name][] } = {
      data: [...dataClasses],
      reversible: [true],
      external: [false],
      money: [0, 100, 1000],
      persons: [0, 1, 100],
      unattended: [false],
      trust_low: [0.6, 0.9, 1],
      critical_finding: [false],
      mitigation: [0, 1, 2, 3, 4],
    };
    fc.assert(
      fc.property(anyInputs, (inputs) => {
        const now = assessRisk(inputs);
        const then =
          now.lower === null ? now : assessRisk({ ...inputs, [now.lower.change.input]: now.lower.change.to });
        if (now.lower !== null) {
          expect(rank(then.level)).toBeLessThan(rank(now.level));
          expect(then.level).toBe(now.lower.level);
        }
        for (const [name, list] of Object.entries(values)) {
          for (const value of list)
            expect(rank(assessRisk({ ...inputs, [name]: value }).level)).toBeGreaterThanOrEqual(rank(then.level));
        }
      }),
    );
  });

  it("names the least step that reaches as far", () => {
    expect(risk({ critical_finding: true, trust_low: 0.97 }).lower).toEqual({
      change: { input: "critical_finding", to: false },
      level: "low",
    });
    expect(risk({ data: "personal", trust_low: 0.6 }).lower).toEqual({
      change: { input: "data", to: "public" },
      level: "low",
    });
    expect(risk({ data: "personal", money: 50, trust_low: 0.8 }).lower).toBeNull();
    expect(risk({}).lower).toBeNull();
  });

  it("refuses numbers outside their range, naming them", () => {
    const wrong: [Partial<RiskInputs>, string][] = [
      [{ money: -1 }, "money"],
      [{ money: Number.NaN }, "money"],
      [{ persons: -1 }, "persons"],
      [{ trust_low: 1.1 }, "trust_low"],
      [{ mitigation: 0.5 }, "mitigation"],
    ];
    for (const [change, name] of wrong) expect(() => risk(change)).toThrow(name);
  });
});

describe("what follows from risk", () => {
  it("is this table", () => {
    const lines = environments.flatMap((environment) =>
      riskLevels.map((level) => {
        const { asked, approvers, requester_allowed, tagged } = approvalDemand(level, environment);
        return `${environment} ${level}: ${asked ? "asks" : "does not ask"}, ${approvers}, requester ${requester_allowed ? "may" : "may not"}${tagged ? ", tagged" : ""}`;
      }),
    );
    expect(lines).toEqual([
      "development low: does not ask, 1, requester may",
      "development medium: does not ask, 1, requester may",
      "development high: does not ask, 1, requester may, tagged",
      "development critical: does not ask, 1, requester may, tagged",
      "staging low: does not ask, 1, requester may",
      "staging medium: does not ask, 1, requester may",
      "staging high: asks, 1, requester may not",
      "staging critical: asks, 2, requester may not",
      "production low: does not ask, 1, requester may",
      "production medium: does not ask, 1, requester may",
      "production high: asks, 1, requester may not",
      "production critical: asks, 2, requester may not",
    ]);
  });
});
