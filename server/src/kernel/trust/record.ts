import { type Basis, type Feature, features, type TrustConfig } from "./config.ts";

/** What is known of one case when its outcome is scored; what is left out is 0, or unknown in the case of the probability. */
export interface TrustCase extends Readonly<Partial<Record<Feature, number>>> {
  /** The model's own probability that its outcome is right, in [0, 1]. */
  readonly probability?: number;
  /** Where the probability comes from; `told` by default. */
  readonly probability_source?: "trained" | "told";
}

/**
 * How a label came about. `evaluation`: an item of a dataset was scored; `random`: a reviewer judged a task that was drawn at random; `volunteered`: somebody
 * chose to judge it, or it failed by itself.
 */
export const origins = ["evaluation", "random", "volunteered"] as const;
export type Origin = (typeof origins)[number];

/** A case with its judged outcome: the only evidence there is. */
export interface JudgedRecord {
  /** Of the case: each counts once. */
  readonly id: string;
  readonly case: TrustCase;
  /** 1 accepted, 0 not; in between where a label says so. */
  readonly outcome: number;
  /** In [0, 1]; labels of code and people have 1. */
  readonly weight: number;
  readonly origin: Origin;
  /** When the outcome came about, in milliseconds since the epoch. */
  readonly at: number;
}

/** Whether somebody chose to judge the case, rather than a draw. */
export const isVolunteered = ({ origin }: Pick<JudgedRecord, "origin">): boolean => origin === "volunteered";

/** What a case's score starts from. */
export function basisOf({ probability, probability_source = "told" }: TrustCase): Basis {
  return probability === undefined ? "none" : probability_source;
}

/** x₀ = logit p, clipped to ±`most_logit`; 0 without a probability. */
export function logitOfCase({ probability }: TrustCase, { most_logit }: TrustConfig): number {
  if (probability === undefined) return 0;
  return Math.min(most_logit, Math.max(-most_logit, Math.log(probability) - Math.log1p(-probability)));
}

/** x_1 … of a case, in the order of the features; novelty counts from `noveltyFrom` on. */
export function signalsOf(given: TrustCase, noveltyFrom: number): number[] {
  return features.map((feature) => {
    const value = given[feature] ?? 0;
    if (feature !== "novelty") return value;
    return value <= noveltyFrom ? 0 : (value - noveltyFrom) / (1 - noveltyFrom);
  });
}

/** From where on novelty counts, by the cases that nobody chose to judge. */
export function noveltyFrom(
  records: readonly JudgedRecord[],
  { novelty: { quantile, start, cases } }: TrustConfig,
): number {
  const told = records.flatMap((one) =>
    isVolunteered(one) || one.case.novelty === undefined ? [] : [one.case.novelty],
  );
  if (told.length < cases) return start;
  return told.sort((p, q) => p - q)[Math.min(told.length - 1, Math.floor(quantile * told.length))]!;
}

/** Throws a RangeError for a probability or signal outside [0, 1]. Returns the same object. */
export function checkCase(given: TrustCase): TrustCase {
  for (const name of ["probability", ...features] as const) {
    const value = given[name];
    if (value !== undefined && !(value >= 0 && value <= 1)) throw new RangeError(`${name} of a case lies in [0, 1]`);
  }
  return given;
}
