import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../canonical-json.ts";
import {
  aggregateEvidence,
  type Channel,
  type ChannelSums,
  channels,
  checkTrustConfig,
  startTrustConfig as config,
  createTrustScorer,
  type Evidence,
  features,
  identityCalibration,
  noEvidence,
  prepareEvidence,
  recomputeTrust,
  scoreTrust,
  type TrustFeatures,
  whatWouldRaise,
} from "./index.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const amount = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 300, noNaN: true }));
const sums = fc.record({ S: amount, F: amount });
const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
  as_of: fc.constant(0),
  sums: fc.record({ evaluations: sums, runs: sums, approvals: sums, groundedness: sums }),
});
const anyFeatures: fc.Arbitrary<TrustFeatures> = fc.record(
  { findings: unit, uncertainty: unit, ungrounded: unit, novelty: unit, injection: unit, human_approved: unit },
  { requiredKeys: [] },
);
const anyCalibration = fc.record({ a: fc.double({ min: 0.1, max: 3, noNaN: true }), b: fc.double({ min: -2, max: 2, noNaN: true }) });
const scored = (evidence: Evidence, x: TrustFeatures = {}, calibration = identityCalibration) =>
  scoreTrust(prepareEvidence(evidence, config), x, calibration, config);
const withSums = (evidence: Evidence, channel: Channel, change: ChannelSums): Evidence => ({
  as_of: evidence.as_of,
  sums: { ...evidence.sums, [channel]: change },
});

describe("the trust score", () => {
  it("is 0.5 between 0.1958 and 0.8042 without evidence", () => {
    expect(scored(noEvidence(0))).toMatchObject({ score: 0.5, low: 0.1958, high: 0.8042, z: 0 });
  });

  it("follows the formula in an example worked out by hand", () => {
    // evaluations: w(S+F) = 20, no cap; runs: .5 · 400 = 200 over the cap 60, c = .3
    const evidence = withSums(withSums(noEvidence(0), "evaluations", { S: 18, F: 2 }), "runs", { S: 380, F: 20 });
    const prepared = prepareEvidence(evidence, config);
    expect(prepared.A).toBeCloseTo(2 + 18 + 0.3 * 0.5 * 380, 12);
    expect(prepared.B).toBeCloseTo(2 + 2 + 0.3 * 0.5 * 20, 12);
    const z = Math.log(77 / 7) - 1.5 * 0.2 + 0.5;
    const score = scored(evidence, { findings: 0.2, human_approved: 1 }, { a: 0.8, b: -0.1 });
    expect(score.z).toBeCloseTo(z, 12);
    expect(score.score).toBe(Math.round(10_000 / (1 + Math.exp(-(0.8 * z - 0.1)))) / 10_000);
  });

  it("of a task follows what its model is unsure of: one that is as likely wrong as right does not pass for one of a good skill", () => {
    const good = withSums(noEvidence(0), "evaluations", { S: 54, F: 6 });
    const [sure, torn, lost] = [0.02, 0.5, 0.95].map((uncertainty) => scored(good, { uncertainty }).score);
    expect(sure).toBeGreaterThan(0.84);
    expect(torn).toBeGreaterThan(0.4);
    expect(torn).toBeLessThan(0.6);
    expect(lost).toBeLessThan(0.2);
  });

  it("lies inside its interval, strictly between 0 and 1, with four decimals and no exponent", () => {
    fc.assert(
      fc.property(anyEvidence, anyFeatures, anyCalibration, (evidence, x, calibration) => {
        const { score, low, high } = scored(evidence, x, calibration);
        expect(low).toBeLessThanOrEqual(score);
        expect(score).toBeLessThanOrEqual(high);
        for (const value of [low, score, high]) expect(JSON.stringify(value)).toMatch(/^0\.\d{1,4}$/);
        expect(low).toBeGreaterThanOrEqual(0.0001);
        expect(high).toBeLessThanOrEqual(0.9999);
      }),
      { numRuns: 500 },
    );
  });

  it("has parts that sum to z", () => {
    fc.assert(
      fc.property(anyEvidence, anyFeatures, (evidence, x) => {
        const { parts, z } = scored(evidence, x);
        expect(Math.abs(parts.reduce((sum, part) => sum + part.value, 0) - z)).toBeLessThan(1e-9);
        expect(parts.map((part) => part.name)).toEqual(["base", ...channels, ...features]);
      }),
      { numRuns: 300 },
    );
  });

  it("gives a channel without evidence no part, and channels with the same evidence the same part", () => {
    const evidence = withSums(withSums(noEvidence(0), "evaluations", { S: 9, F: 1 }), "approvals", { S: 9, F: 1 });
    const part = (name: string) => scored(evidence).parts.find((one) => one.name === name)!.value;
    expect(part("runs")).toBeCloseTo(0, 15);
    expect(part("evaluations")).toBeCloseTo(part("approvals"), 12);
    expect(part("evaluations")).toBeGreaterThan(0);
  });

  it("never falls through a success nor rises through a failure", () => {
    fc.assert(
      fc.property(
        anyEvidence,
        anyFeatures,
        fc.constantFrom(...channels),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (evidence, x, channel, u) => {
          const { S, F } = evidence.sums[channel];
          const now = scored(evidence, x);
          const better = scored(withSums(evidence, channel, { S: S + u, F }), x);
          const worse = scored(withSums(evidence, channel, { S, F: F + u }), x);
          expect(better.z).toBeGreaterThanOrEqual(now.z - 1e-12);
          expect(better.score).toBeGreaterThanOrEqual(now.score);
          expect(worse.z).toBeLessThanOrEqual(now.z + 1e-12);
          expect(worse.score).toBeLessThanOrEqual(now.score);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("rises with each item's y and never with a finding, doubt, novelty or suspicion", () => {
    const item = fc.record({ channel: fc.constantFrom(...channels), y: unit, at: fc.integer({ min: -9e9, max: 0 }), v: unit, q: unit });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), fc.nat(), unit, (items, at, y) => {
        const raised = items.map((one, index) => (index === at % items.length ? { ...one, y: Math.max(one.y, y) } : one));
        const z = (list: typeof items) => scored(aggregateEvidence(list, 0, config)).z;
        expect(z(raised)).toBeGreaterThanOrEqual(z(items) - 1e-12);
      }),
    );
    for (const feature of features) {
      const [without, withIt] = [scored(noEvidence(0)).score, scored(noEvidence(0), { [feature]: 1 }).score];
      if (feature === "human_approved") expect(withIt).toBeGreaterThan(without);
      else expect(withIt).toBeLessThan(without);
    }
  });

  it("narrows its interval as evidence of one kind grows, and stops at the cap", () => {
    const width = (n: number) => {
      const { low, high } = scored(withSums(noEvidence(0), "evaluations", { S: 0.8 * n, F: 0.2 * n }));
      return high - low;
    };
    expect(width(10)).toBeLessThan(width(0));
    expect(width(60)).toBeLessThan(width(10));
    expect(width(6000)).toBeCloseTo(width(60), 12);
  });

  it("can be computed again from its stored inputs, also after a trip through JSON", () => {
    fc.assert(
      fc.property(anyEvidence, anyFeatures, anyCalibration, (evidence, x, calibration) => {
        const score = scored(evidence, x, calibration);
        expect(recomputeTrust(JSON.parse(JSON.stringify(score.inputs)))).toEqual(JSON.parse(JSON.stringify(score)));
      }),
      { numRuns: 50 },
    );
  });

  it("has another digest whenever an input differs, and the same one otherwise", () => {
    const evidence = withSums(noEvidence(1000), "runs", { S: 3, F: 1 });
    const digests = [
      scored(evidence),
      scored(evidence, { findings: 0.5 }),
      scored(evidence, {}, { a: 1, b: 0.1 }),
      scored(evidence, {}, { a: 1.1, b: 0 }),
      scored(withSums(evidence, "runs", { S: 3, F: 1.5 })),
      scored(withSums(evidence, "groundedness", { S: 1, F: 0 })),
      scored({ ...evidence, as_of: 2000 }),
      recomputeTrust({ ...scored(evidence).inputs, config: { ...config, m0: 0.6 } }),
    ].map((score) => score.digest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(digests[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(scored(evidence, { findings: 0 }).digest).toBe(digests[0]);
  });

  it("digests the canonical JSON that its description names", () => {
    const sha = (value: unknown) => `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
    fc.assert(
      fc.property(anyEvidence, anyFeatures, anyCalibration, (evidence, x, calibration) => {
        const { inputs, digest } = scored(evidence, x, calibration);
        expect(digest).toBe(sha({ ...inputs, config: sha(inputs.config), evidence: sha(inputs.evidence) }));
      }),
    );
  });

  it("refuses numbers that have no meaning", () => {
    expect(() => scored(noEvidence(0), { novelty: 1.1 })).toThrow("novelty");
    expect(() => scored(noEvidence(0), { novelty: Number.NaN })).toThrow(RangeError);
    expect(() => scored(noEvidence(0), {}, { a: 0, b: 0 })).toThrow(RangeError);
    expect(() => scored(withSums(noEvidence(0), "runs", { S: -1, F: 0 }))).toThrow("runs");
    expect(() => checkTrustConfig({ ...config, m0: 0.01 })).toThrow("m0");
    expect(() => checkTrustConfig({ ...config, theta: { ...config.theta, findings: 1 } })).toThrow("findings");
  });
});

describe("a scorer with memory", () => {
  const hour = 3_600_000;

  it("gives the score that a fresh computation gives, at any hour", () => {
    const scorer = createTrustScorer(config);
    const evidence = withSums(noEvidence(0), "evaluations", { S: 30, F: 3 });
    for (const now of [0, hour - 1, hour, 1000 * hour, hour]) {
      expect(scorer.score(evidence, { novelty: 0.5 }, now)).toEqual(createTrustScorer(config).score(evidence, { novelty: 0.5 }, now));
    }
  });

  it("lets a score stand still within the hour, and digests tell one hour from the next", () => {
    const scorer = createTrustScorer(config);
    const evidence = withSums(noEvidence(0), "evaluations", { S: 30, F: 3 });
    const first = scorer.score(evidence, {}, 10);
    expect(scorer.score(evidence, {}, hour - 1)).toEqual(first);
    expect(scorer.score(evidence, {}, hour).digest).not.toBe(first.digest);
    expect(scorer.score(evidence, { injection: 1 }, 10).score).toBeLessThan(first.score);
  });

  it("lets a score sink towards its base as evidence ages", () => {
    const scorer = createTrustScorer(config);
    const evidence = withSums(noEvidence(0), "evaluations", { S: 30, F: 0 });
    const month = 30 * 24 * hour;
    const scores = [0, 1, 2, 4, 12].map((months) => scorer.score(evidence, {}, months * month).score);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    expect(scores[4]).toBeCloseTo(0.5, 2);
  });
});

describe("what would raise a score", () => {
  it("names changes that do raise it to what they say", () => {
    fc.assert(
      fc.property(anyEvidence, anyFeatures, (evidence, x) => {
        const score = scored(evidence, x);
        for (const raise of whatWouldRaise(score)) {
          const { change } = raise;
          const sumsBefore = change.kind === "evidence" ? evidence.sums[change.channel] : null;
          const after =
            change.kind === "evidence"
              ? scored(withSums(evidence, change.channel, { S: sumsBefore!.S + change.items, F: sumsBefore!.F }), x)
              : scored(evidence, { ...x, [change.feature]: change.to });
          expect(raise).toMatchObject({ score: after.score, low: after.low });
          expect(after.score).toBeGreaterThan(score.score);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("puts the strongest first and says nothing of what would not help", () => {
    const raises = whatWouldRaise(scored(noEvidence(0), { findings: 1, human_approved: 1 }));
    expect(raises.map((raise) => raise.gain)).toEqual(raises.map((raise) => raise.gain).sort((a, b) => b - a));
    expect(raises.map((raise) => raise.change)).toContainEqual({ kind: "feature", feature: "findings", to: 0 });
    expect(raises.map((raise) => raise.change)).not.toContainEqual({ kind: "feature", feature: "human_approved", to: 1 });
    expect(raises.map((raise) => raise.change)).not.toContainEqual({ kind: "feature", feature: "novelty", to: 0 });
  });
});
