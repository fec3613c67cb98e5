import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  startTrustConfig as config,
  crossFit,
  type FitTerms,
  features,
  fitTrust,
  type JudgedRecord,
  lend,
  scoreTrust,
  type TrustCase,
  whatWouldRaise,
} from "./index.ts";

const WEEK = 7 * 86_400_000;
const none: FitTerms = { basis: "none", judged_share: 0 };
const trained: FitTerms = { basis: "trained", judged_share: 0 };
const sigma = (z: number) => 1 / (1 + Math.exp(-z));
const score = (fit: ReturnType<typeof fitTrust>, given: TrustCase = {}, now = 0) => scoreTrust(fit, given, now, config);
const sure = (probability: number): TrustCase => ({ probability, probability_source: "trained" });

let ids = 0;
const record = (more: Partial<JudgedRecord> = {}): JudgedRecord => ({
  id: `case-${++ids}`,
  case: {},
  outcome: 1,
  weight: 1,
  origin: "random",
  at: 0,
  ...more,
});
/** `n` cases of probability p, of which the share `right` was accepted. */
const cases = (n: number, p: number, right: number, more: Partial<JudgedRecord> = {}): JudgedRecord[] =>
  Array.from({ length: n }, (_, i) => record({ case: sure(p), outcome: (i + 0.5) / n < right ? 1 : 0, ...more }));

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const anyCase = (basis: FitTerms["basis"]): fc.Arbitrary<TrustCase> =>
  fc
    .record({ findings: unit, ungrounded: unit, novelty: unit, injection: unit })
    .chain((signals) =>
      basis === "none"
        ? fc.constant(signals)
        : unit.map((probability) => ({ ...signals, probability, probability_source: basis })),
    );
const anyRecords = (basis: FitTerms["basis"]): fc.Arbitrary<JudgedRecord[]> =>
  fc
    .array(
      fc.record({
        case: anyCase(basis),
        outcome: fc.oneof(fc.constantFrom(0, 1), unit),
        weight: fc.constantFrom(1, 0.25),
        origin: fc.constantFrom("evaluation" as const, "random" as const, "volunteered" as const),
        at: fc.integer({ min: 0, max: 20 * WEEK }),
      }),
      { maxLength: 40 },
    )
    .map((records) => records.map((one, i) => ({ ...one, id: `r${i}` })));
const anyFit = fc.constantFrom("none" as const, "trained" as const, "told" as const).chain((basis) =>
  fc.record({
    basis: fc.constant(basis),
    records: anyRecords(basis),
    judged_share: unit,
    given: anyCase(basis),
    weeks: fc.integer({ min: 0, max: 30 }),
  }),
);

describe("a score", () => {
  it("is 0.5 [0.1958, 0.8042] without any evidence", () => {
    const { score: value, low, high } = score(fitTrust([], none, config));
    expect([value, low, high]).toEqual([0.5, 0.1958, 0.8042]);
  });

  it("is the model's own probability where its map was fitted to nothing, clipped at both ends", () => {
    const fit = fitTrust([], trained, config);
    for (const p of [0.02, 0.5, 0.9, 0.99]) expect(score(fit, sure(p)).score).toBeCloseTo(p, 4);
    expect(score(fit, sure(1)).score).toBeCloseTo(sigma(7), 4);
    expect(score(fit, sure(0)).score).toBeCloseTo(sigma(-7), 4);
  });

  it("lies inside its open interval, whatever it was fitted to, and its parts sum to its logit", () => {
    fc.assert(
      fc.property(anyFit, ({ records, given, weeks, ...terms }) => {
        const found = score(fitTrust(records, terms, config), given, weeks * WEEK);
        expect(found.low).toBeLessThanOrEqual(found.score);
        expect(found.score).toBeLessThanOrEqual(found.high);
        for (const value of [found.low, found.score, found.high]) {
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThan(1);
          expect(JSON.stringify(value)).toMatch(/^0\.\d{1,4}$/);
        }
        const sum = found.parts.reduce((total, part) => total + part.value, 0);
        expect(Math.abs(sum - found.z)).toBeLessThanOrEqual(1e-9);
        expect(found.score).toBe(Math.round(Math.min(0.9999, Math.max(0.0001, sigma(sum))) * 10_000) / 10_000);
      }),
      { numRuns: 60 },
    );
  });

  it("never rises by a signal, nor falls by a higher probability", () => {
    fc.assert(
      fc.property(anyFit, fc.constantFrom(...features), ({ records, given, weeks: _, ...terms }, feature) => {
        const fit = fitTrust(records, terms, config);
        expect(score(fit, { ...given, [feature]: 1 }).z).toBeLessThanOrEqual(score(fit, { ...given, [feature]: 0 }).z);
        if (terms.basis !== "none") {
          expect(score(fit, { ...given, probability: 0.9 }).z).toBeGreaterThan(
            score(fit, { ...given, probability: 0.1 }).z,
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  it("can be computed again from its stored inputs and fit, also after a trip through JSON", () => {
    fc.assert(
      fc.property(anyFit, ({ records, given, weeks, ...terms }) => {
        const fit = fitTrust(records, terms, config);
        const found = score(fit, given, weeks * WEEK);
        const stored = JSON.parse(JSON.stringify({ fit, inputs: found.inputs }));
        const at = (stored.fit.as_of ?? 0) + stored.inputs.weeks * WEEK;
        expect(score(stored.fit, stored.inputs.case, at)).toEqual(JSON.parse(JSON.stringify(found)));
      }),
      { numRuns: 30 },
    );
  });

  it("has another digest whenever an input differs", () => {
    const fit = fitTrust(cases(20, 0.8, 0.8), trained, config);
    const digests = [
      score(fit, sure(0.8)),
      score(fit, sure(0.81)),
      score(fit, { ...sure(0.8), findings: 0.5 }),
      score(fit, sure(0.8), WEEK),
      score(fitTrust(cases(20, 0.8, 0.8), trained, config), sure(0.8)),
    ].map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(score(fit, sure(0.8), WEEK - 1).digest).toBe(digests[0]);
  });
});

describe("a fit", () => {
  it("is the same, digit by digit, in whatever order its records come", () => {
    fc.assert(
      fc.property(anyFit, fc.integer(), ({ records, basis, judged_share }, seed) => {
        const mixed = [...records].sort(
          (p, q) => ((p.id.length * seed + p.at) % 97) - ((q.id.length * seed + q.at) % 97),
        );
        expect(fitTrust(mixed, { basis, judged_share }, config)).toEqual(
          fitTrust(records, { basis, judged_share }, config),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("scores its own case higher after a judged success, and lower after a failure", () => {
    fc.assert(
      fc.property(anyFit, ({ records, given, weeks: _, ...terms }) => {
        const at = records.reduce((last, one) => Math.max(last, one.at), 0);
        const known = noveltyKept(given, records);
        const after = (outcome: number) =>
          score(fitTrust([...records, record({ id: "own", case: known, outcome, at })], terms, config), known).z;
        const before = score(fitTrust(records, terms, config), known).z;
        expect(after(1)).toBeGreaterThan(before);
        expect(after(0)).toBeLessThan(before);
      }),
      { numRuns: 60 },
    );
  });

  it("has its maximum where the slopes of prior and labels cancel, and the curvature there as its variance", () => {
    const evaluated = [...Array(25).keys()].map((i) => record({ origin: "evaluation", outcome: i < 20 ? 1 : 0 }));
    const { b, covariance } = fitTrust(evaluated, none, config);
    const { variance } = config.priors.none.b;
    expect(b / variance).toBeCloseTo(20 - 25 * sigma(b), 6);
    const ofB = 1 / (1 / variance + 25 * sigma(b) * (1 - sigma(b)));
    const { high } = score(fitTrust(evaluated, none, config));
    expect(covariance[0]![0]).toBeCloseTo(ofB, 8);
    expect(Math.log(high / (1 - high))).toBeCloseTo(b + 1.28155 * Math.sqrt(ofB + config.drift.first), 2);
  });

  it("corrects a probability that labels contradict, and an overconfident one does not break it", () => {
    const fit = fitTrust([...cases(400, 0.95, 0.8), ...cases(400, 0.3, 0.3)], { ...trained, judged_share: 1 }, config);
    expect(score(fit, sure(0.95)).score).toBeLessThan(0.88);
    const vain = fitTrust(cases(2000, 1, 0.5), { basis: "told", judged_share: 1 }, config);
    expect(score(vain, { probability: 1 }).score).toBeCloseTo(0.5, 1);
  });

  it("takes volunteered labels for what they are: mostly of what looked wrong", () => {
    const evaluated = cases(100, 0.8, 0.8, { origin: "evaluation" });
    const wrongOnes = cases(300, 0.8, 0.4, { origin: "volunteered" });
    const before = score(fitTrust(evaluated, trained, config), sure(0.8)).score;
    const biased = score(
      fitTrust([...evaluated, ...wrongOnes], { ...trained, judged_share: 0.1 }, config),
      sure(0.8),
    ).score;
    const all = score(fitTrust([...evaluated, ...wrongOnes], { ...trained, judged_share: 1 }, config), sure(0.8)).score;
    expect(Math.abs(biased - before)).toBeLessThan(0.05);
    expect(all).toBeLessThan(0.6);
  });

  it("widens with weeks without judgement and moves nothing", () => {
    const fit = fitTrust(cases(50, 0.8, 0.8), trained, config);
    const [now, later] = [score(fit, sure(0.8)), score(fit, sure(0.8), 10 * WEEK)];
    expect(later.score).toBe(now.score);
    expect(later.high - later.low).toBeGreaterThan(now.high - now.low);
  });

  it("follows a drift week by week", () => {
    const weeks = Array.from({ length: 8 }, (_, week) =>
      cases(60, 0.8, week < 4 ? 0.8 : 0.5, { at: week * WEEK }),
    ).flat();
    const fit = fitTrust(weeks, { ...trained, judged_share: 1 }, config);
    expect(fit.drift).toBeLessThan(-0.3);
    expect(score(fit, sure(0.8)).score).toBeLessThan(0.72);
  });

  it("lends a new version the bias of volunteers, and its level only where there is no probability", () => {
    const old = fitTrust(
      Array.from({ length: 80 }, () => record({ outcome: 1 })),
      none,
      config,
    );
    const heir = fitTrust([], { ...none, borrowed: lend(old, 0, config) }, config);
    expect(score(heir).score).toBeGreaterThan(0.8);
    expect(score(heir).low).toBeLessThan(score(old).low);
    const before = fitTrust(cases(200, 0.8, 0.2, { origin: "volunteered" }), trained, config);
    const after = fitTrust([], { ...trained, borrowed: lend(before, 0, config) }, config);
    expect(after.c).toBeCloseTo(before.c, 6);
    expect(after.b).toBeCloseTo(0, 6);
  });

  it("lets novelty count from where hardly a judged case reaches", () => {
    const known = Array.from({ length: 100 }, (_, i) =>
      record({ case: { ...sure(0.9), novelty: i / 200 }, outcome: i % 10 ? 1 : 0 }),
    );
    const fit = fitTrust(known, trained, config);
    expect(fit.novelty_from).toBeCloseTo(0.475, 3);
    expect(score(fit, { ...sure(0.9), novelty: 0.4 }).score).toBe(score(fit, sure(0.9)).score);
    expect(score(fit, { ...sure(0.9), novelty: 1 }).score).toBeLessThan(0.4);
  });

  it("refuses what is no probability and no label", () => {
    expect(() => fitTrust([record({ case: { novelty: 1.1 } })], none, config)).toThrow("novelty");
    expect(() => fitTrust([record({ outcome: Number.NaN })], none, config)).toThrow(RangeError);
    expect(() => fitTrust([record({ weight: 2 })], none, config)).toThrow(RangeError);
    expect(() => score(fitTrust([], none, config), { probability: -0.1 })).toThrow("probability");
  });
});

/** The case with a novelty that does not move where novelty begins to count. */
function noveltyKept(given: TrustCase, records: readonly JudgedRecord[]): TrustCase {
  const { novelty: _, ...rest } = given;
  return records.length === 0 ? given : rest;
}

describe("cross-fitting", () => {
  it("judges no score by a label that helped to make it", () => {
    const records = cases(200, 0.7, 0.7);
    const { all, unchosen } = crossFit(records, trained, config);
    const n = all.reduce((sum, bin) => sum + bin.n, 0);
    expect(n).toBe(200);
    expect(unchosen).toEqual(all);
    const one = crossFit([record({ outcome: 1 })], none, config).all;
    expect(one).toMatchObject([{ n: 1, scores: 0.5, outcomes: 1 }]);
  });

  it("keeps volunteered labels out of the curve of those that nobody chose to give", () => {
    const { all, unchosen } = crossFit(
      [...cases(10, 0.7, 0.7), ...cases(5, 0.7, 0, { origin: "volunteered" })],
      trained,
      config,
    );
    expect([all, unchosen].map((bins) => bins.reduce((sum, bin) => sum + bin.n, 0))).toEqual([15, 10]);
  });
});

describe("what would raise a score", () => {
  it("names judged successes and signals that are gone, the greatest gain first, and what they raise it to", () => {
    const fit = fitTrust(cases(30, 0.7, 0.7), trained, config);
    const given = { ...sure(0.7), findings: 1 };
    const raises = whatWouldRaise(fit, given, 0, config);
    expect(raises.map(({ change }) => change.kind)).toContain("judged");
    expect(raises[0]).toMatchObject({ change: { kind: "feature", feature: "findings" } });
    expect(raises[0]!.score).toBe(score(fit, sure(0.7)).score);
    for (const { score: to, low, gain } of raises) {
      expect(gain).toBeCloseTo(to - score(fit, given).score, 4);
      expect(to > score(fit, given).score || low > score(fit, given).low).toBe(true);
    }
    const blank = whatWouldRaise(fitTrust([], none, config), {}, 0, config);
    const judged = fitTrust(
      Array.from({ length: 10 }, () => record()),
      none,
      config,
    );
    expect(blank[0]!.score).toBeCloseTo(score(judged).score, 2);
  });
});
