import { hash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import { betaQuantile } from "./beta.ts";
import { type Channel, channels, checkTrustConfig, type Feature, features, type TrustConfig } from "./config.ts";
import { decayEvidence, type Evidence } from "./evidence.ts";
import { shapleyValues } from "./explain.ts";

/** x_j of one task, each in [0, 1]; what is left out is 0. */
export type TrustFeatures = Readonly<Partial<Record<Feature, number>>>;

/** T = σ(a·z + b); `a` positive. The identity until labels show a gain. */
export interface Calibration {
  readonly a: number;
  readonly b: number;
}

export const identityCalibration: Calibration = { a: 1, b: 0 };

/** One summand of z. */
export interface TrustPart {
  readonly kind: "base" | "channel" | "feature";
  readonly name: string;
  /** Logits; all parts together are z. */
  readonly value: number;
}

export interface TrustScore {
  /** In [0.0001, 0.9999], four decimals: as JSON it always has a fractional part and never an exponent. */
  readonly score: number;
  /** 10 % and 90 % quantiles through the same map, rounded alike. */
  readonly low: number;
  readonly high: number;
  readonly z: number;
  /** Base, channels, features: they sum to z. Features that are 0 are among them. */
  readonly parts: readonly TrustPart[];
  readonly calibration: Calibration;
  /** `sha256:` and hex: see `digestOf`. */
  readonly digest: string;
  /** All that the score was computed from, and enough to compute it again. */
  readonly inputs: TrustInputs;
}

/** Everything that decides a score. The digest covers it whole. */
export interface TrustInputs {
  readonly config: TrustConfig;
  readonly evidence: Evidence;
  readonly features: Readonly<Record<Feature, number>>;
  readonly calibration: Calibration;
}

/** The part of a score that evidence alone decides. */
export interface PreparedEvidence {
  readonly evidence: Evidence;
  /** Parameters of the Beta distribution. */
  readonly A: number;
  readonly B: number;
  /** ln(A / B) and the logits of the 10 % and 90 % quantiles. */
  readonly logit: number;
  readonly logitLow: number;
  readonly logitHigh: number;
  readonly parts: readonly TrustPart[];
  /** Digest of the canonical JSON of the evidence. */
  readonly digest: string;
}

const logitOf = (p: number) => Math.log(p) - Math.log1p(-p);
const sigma = (z: number) => 1 / (1 + Math.exp(-z));

/** Successes and failures of each channel as they enter A and B: c_k w_k S_k and c_k w_k F_k with c_k = min(1, cap_k / (w_k (S_k + F_k))). */
export function cappedSums(evidence: Evidence, config: TrustConfig): Record<Channel, { S: number; F: number }> {
  const entries = channels.map((channel) => {
    const { S, F } = evidence.sums[channel];
    if (!(S >= 0 && F >= 0 && S + F < Number.POSITIVE_INFINITY))
      throw new RangeError(`the sums of ${channel} must be finite and not negative`);
    const { weight, cap } = config.channels[channel];
    const whole = weight * (S + F);
    const factor = whole > cap ? (cap / whole) * weight : weight;
    return [channel, { S: factor * S, F: factor * F }] as const;
  });
  return Object.fromEntries(entries) as Record<Channel, { S: number; F: number }>;
}

/** A, B, their quantiles and the exact contribution of each channel. The costly half of a score; it changes only with the evidence. */
export function prepareEvidence(evidence: Evidence, config: TrustConfig): PreparedEvidence {
  const sums = cappedSums(evidence, config);
  const a0 = config.m0 * config.kappa;
  const b0 = (1 - config.m0) * config.kappa;
  const logitWith = (members: readonly Channel[]) => {
    let a = a0;
    let b = b0;
    for (const channel of members) {
      a += sums[channel].S;
      b += sums[channel].F;
    }
    return Math.log(a / b);
  };
  const A = channels.reduce((total, channel) => total + sums[channel].S, a0);
  const B = channels.reduce((total, channel) => total + sums[channel].F, b0);
  const values = shapleyValues(channels, logitWith);
  return {
    evidence,
    A,
    B,
    logit: Math.log(A / B),
    logitLow: logitOf(betaQuantile(0.1, A, B)),
    // By the mirrored distribution, which keeps the digits of a quantile that is close to 1.
    logitHigh: -logitOf(betaQuantile(0.1, B, A)),
    digest: sha256(canonicalJson(evidence)),
    parts: [
      { kind: "base", name: "base", value: Math.log(a0 / b0) },
      ...channels.map((channel, index): TrustPart => ({ kind: "channel", name: channel, value: values[index]! })),
    ],
  };
}

/** The score of one task from prepared evidence. Throws a RangeError for a feature outside [0, 1] and for a calibration that is not increasing. */
export function scoreTrust(prepared: PreparedEvidence, given: TrustFeatures, calibration: Calibration, config: TrustConfig): TrustScore {
  const { a, b } = calibration;
  if (!(a > 0 && a < Number.POSITIVE_INFINITY && Number.isFinite(b)))
    throw new RangeError("a calibration needs a positive a and a finite b");
  const x = completeFeatures(given);
  let shift = 0;
  const parts = [...prepared.parts];
  for (const feature of features) {
    const value = config.theta[feature] * x[feature];
    shift += value;
    parts.push({ kind: "feature", name: feature, value: value === 0 ? 0 : value });
  }
  const map = (logit: number) => published(sigma(a * (logit + shift) + b));
  const inputs: TrustInputs = { config, evidence: prepared.evidence, features: x, calibration };
  return {
    score: map(prepared.logit),
    low: map(prepared.logitLow),
    high: map(prepared.logitHigh),
    z: prepared.logit + shift,
    parts,
    calibration,
    digest: digestOf(inputs, prepared.digest),
    inputs,
  };
}

/** Clamped to [0.0001, 0.9999] and rounded to four decimals. */
function published(probability: number): number {
  return Math.round(Math.min(0.9999, Math.max(0.0001, probability)) * 10_000) / 10_000;
}

function completeFeatures(given: TrustFeatures): Record<Feature, number> {
  const x = {} as Record<Feature, number>;
  for (const feature of features) {
    const value = given[feature] ?? 0;
    if (!(value >= 0 && value <= 1)) throw new RangeError(`the feature ${feature} must lie in [0, 1]`);
    x[feature] = value;
  }
  return x;
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of `{calibration, config, evidence, features}`, in which configuration and evidence stand as digests
 * of their own canonical JSON, so that a score of known evidence hashes a few hundred bytes.
 */
export function digestOf(inputs: TrustInputs, evidenceDigest: string = sha256(canonicalJson(inputs.evidence))): string {
  const { a, b } = inputs.calibration;
  const x = inputs.features;
  // The members in their canonical order, written out: numbers in a template are written as RFC 8785 wants them, except -0.
  return sha256(
    `{"calibration":{"a":${a},"b":${b}},"config":"${configDigest(inputs.config)}","evidence":"${evidenceDigest}",` +
      `"features":{"findings":${x.findings},"human_approved":${x.human_approved},"injection":${x.injection},` +
      `"novelty":${x.novelty},"uncertainty":${x.uncertainty},"ungrounded":${x.ungrounded}}}`,
  );
}

const configDigests = new WeakMap<TrustConfig, string>();

function configDigest(config: TrustConfig): string {
  let digest = configDigests.get(config);
  if (digest === undefined) {
    digest = sha256(canonicalJson(config));
    configDigests.set(config, digest);
  }
  return digest;
}

function sha256(text: string): string {
  return `sha256:${hash("sha256", text, "hex")}`;
}

/** Computes a stored score again from its stored inputs. */
export function recomputeTrust(inputs: TrustInputs): TrustScore {
  return scoreTrust(prepareEvidence(inputs.evidence, checkTrustConfig(inputs.config)), inputs.features, inputs.calibration, inputs.config);
}

export interface TrustScorer {
  readonly config: TrustConfig;
  /** The score at `now` (ms since the epoch). What evidence alone decides is computed once per evidence object and hour. */
  score(evidence: Evidence, features: TrustFeatures, now: number, calibration?: Calibration): TrustScore;
}

const HOUR_MS = 3_600_000;

/**
 * A scorer with a memory. Evidence decays by whole hours (an hour is 0.1 % of it), so that its costly half stands still in between. What is kept
 * hangs on the evidence object, which must not be changed in place, and goes with it.
 */
export function createTrustScorer(config: TrustConfig): TrustScorer {
  checkTrustConfig(config);
  const memory = new WeakMap<Evidence, { hour: number; prepared: PreparedEvidence }>();
  return {
    config,
    score(evidence, given, now, calibration = identityCalibration) {
      const hour = Math.floor(now / HOUR_MS);
      let known = memory.get(evidence);
      if (known === undefined || known.hour !== hour) {
        known = { hour, prepared: prepareEvidence(decayEvidence(evidence, hour * HOUR_MS, config), config) };
        memory.set(evidence, known);
      }
      return scoreTrust(known.prepared, given, calibration, config);
    },
  };
}
