import { type Feature, features, type TrustConfig } from "./config.ts";
import { digestOf, type TrustFit, weeksBetween, widening } from "./fit.ts";
import { checkCase, logitOfCase, signalsOf, type TrustCase } from "./record.ts";

/** One summand of z. */
export interface TrustPart {
  readonly kind: "base" | "drift" | "probability" | "feature";
  readonly name: "base" | "drift" | "probability" | Feature;
  /** Logits; all parts together are z. */
  readonly value: number;
}

/** Everything that decides a score. The digest covers it whole. */
export interface TrustInputs {
  /** By its digest. */
  readonly fit: string;
  readonly case: TrustCase;
  /** Whole weeks since the fit's newest record. */
  readonly weeks: number;
}

export interface TrustScore {
  /** In [0.0001, 0.9999], four decimals: as JSON it always has a fractional part and never an exponent. */
  readonly score: number;
  /** 10 % and 90 % quantiles of the Laplace posterior through the same map, rounded alike. */
  readonly low: number;
  readonly high: number;
  /** σ⁻¹ of the score before rounding. */
  readonly z: number;
  /** b, the drift of the weeks, a·x₀, each θ_j x_j: they sum to z. */
  readonly parts: readonly TrustPart[];
  /** `sha256:` and hex of the canonical JSON of the inputs. */
  readonly digest: string;
  readonly inputs: TrustInputs;
}

/** The 90 % quantile of the standard normal distribution. */
export const Q90 = 1.2815515655446004;
const sigma = (z: number) => 1 / (1 + Math.exp(-z));
const digests = new WeakMap<TrustFit, string>();

/** The digest of a fit, by which scores name it. */
export function fitDigest(fit: TrustFit): string {
  let digest = digests.get(fit);
  if (digest === undefined) {
    digest = digestOf(fit);
    digests.set(fit, digest);
  }
  return digest;
}

/** T = σ(b + drift + a·x₀ + Σ θ_j x_j), without c: what a draw at random would find. Throws a RangeError for a case without meaning. */
export function scoreTrust(fit: TrustFit, given: TrustCase, now: number, config: TrustConfig): TrustScore {
  checkCase(given);
  const x = coordinatesOf(fit, given, config);
  const value = (number: number): number => (number === 0 ? 0 : number);
  const parts: TrustPart[] = [
    { kind: "base", name: "base", value: value(fit.b) },
    { kind: "drift", name: "drift", value: value(fit.drift) },
    ...(fit.a === null ? [] : [{ kind: "probability", name: "probability", value: value(fit.a * x[1]!) } as const]),
    ...features.map((name, j): TrustPart => ({ kind: "feature", name, value: value(fit.theta[name] * x[2 + j]!) })),
  ];
  const z = parts.reduce((sum, part) => sum + part.value, 0);
  const deviation = Math.sqrt(Math.max(0, varianceOf(fit, x)) + widening(fit, now, config));
  const inputs = { fit: fitDigest(fit), case: given, weeks: fit.as_of === null ? 0 : weeksBetween(fit.as_of, now) };
  return {
    score: published(sigma(z)),
    low: published(sigma(z - Q90 * deviation)),
    high: published(sigma(z + Q90 * deviation)),
    z,
    parts,
    digest: digestOf(inputs),
    inputs,
  };
}

/** T of a case alone, as it is published. */
export function probabilityOf(fit: TrustFit, given: TrustCase, config: TrustConfig): number {
  const signals = signalsOf(given, fit.novelty_from);
  const start = fit.b + fit.drift + (fit.a ?? 0) * logitOfCase(given, config);
  return published(sigma(features.reduce((z, feature, j) => z + fit.theta[feature] * signals[j]!, start)));
}

/** A case in the coordinates of the covariance. */
export function coordinatesOf(fit: TrustFit, given: TrustCase, config: TrustConfig): number[] {
  return [1, logitOfCase(given, config), ...signalsOf(given, fit.novelty_from), 0];
}

/** xᵀ Σ x. */
export function varianceOf({ covariance }: TrustFit, x: readonly number[]): number {
  return x.reduce((sum, xi, i) => sum + x.reduce((row, xj, j) => row + xi * xj * covariance[i]![j]!, 0), 0);
}

/** Clamped to [0.0001, 0.9999] and rounded to four decimals. */
export function published(probability: number): number {
  return Math.round(Math.min(0.9999, Math.max(0.0001, probability)) * 10_000) / 10_000;
}
