import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { type Basis, type Feature, features, type Normal, type TrustConfig } from "./config.ts";
import { designOf, posteriorOf, WEEK_MS } from "./posterior.ts";
import { checkCase, isVolunteered, type JudgedRecord, noveltyFrom, type TrustCase } from "./record.ts";

/** What an earlier version's fit lends to the next one's. */
export interface Borrowed {
  /** Its c, where it had volunteered labels. */
  readonly c?: Normal;
  /** Its level, lent only where there is no probability. */
  readonly b?: Normal;
}

/** What a fit is made of besides its records. */
export interface FitTerms {
  readonly basis: Basis;
  /** π: the share of live tasks that were judged, up to the newest label. */
  readonly judged_share: number;
  readonly borrowed?: Borrowed;
}

/** How many labels a fit stands on, by how they came about. */
export type LabelCounts = Readonly<Record<"evaluation" | "random" | "volunteered", number>>;

/** The fitted map of one (skill, version, environment): all that a score needs, and enough to compute it again. */
export interface TrustFit {
  readonly version: string;
  readonly basis: Basis;
  /** Mean of b, and what the weeks have moved it by. */
  readonly b: number;
  readonly drift: number;
  /** Null where there is no probability. */
  readonly a: number | null;
  readonly theta: Readonly<Record<Feature, number>>;
  readonly c: number;
  /** Where novelty begins to count. */
  readonly novelty_from: number;
  /** Laplace covariance of b + drift, a, the features in their order, c. */
  readonly covariance: readonly (readonly number[])[];
  /** When the newest live case was, else the newest evaluated one, in milliseconds since the epoch; null: there is no record. */
  readonly as_of: number | null;
  /** Whether there is a record of a live task. */
  readonly live: boolean;
  /** The mean of the judged cases, without the volunteered ones where there are others: what a case is like of which nothing is known yet. */
  readonly typical: TrustCase;
  readonly labels: LabelCounts;
  readonly judged_share: number;
  /** SHA-256 of the records, terms and configuration. */
  readonly records_digest: string;
}

/**
 * P(y = 1) = σ(b + a·x₀ + Σ θ_j x_j + Σ_{weeks ≤ t} δ_w + c·[volunteered]), fitted by MAP (Newton with backtracking), with the Laplace approximation of its
 * posterior. Priors: {@link TrustConfig}. The same records in any order give the same fit. Throws a RangeError for a record without meaning.
 */
export function fitTrust(records: readonly JudgedRecord[], terms: FitTerms, config: TrustConfig): TrustFit {
  for (const { case: given, outcome, weight } of records) {
    checkCase(given);
    if (!(outcome >= 0 && outcome <= 1 && weight >= 0 && weight <= 1))
      throw new RangeError("outcome and weight of a label lie in [0, 1]");
  }
  const { basis, judged_share } = terms;
  const priors = { basis, b: priorOfB(terms, config), c: priorOfC(terms, config) };
  const from = noveltyFrom(records, config);
  const posterior = posteriorOf(designOf(records, from, config), priors, config);
  const b = rounded(posterior.b);
  const mean = posterior.mean.map(rounded);
  const covariance = posterior.covariance.map((row) => row.map(rounded));
  const live = records.filter(({ origin }) => origin !== "evaluation");
  const dated = live.length > 0 ? live : records;
  const count = (origin: JudgedRecord["origin"]): number =>
    records.reduce((sum, one) => sum + (one.origin === origin ? 1 : 0), 0);
  return {
    version: config.version,
    basis,
    b,
    drift: rounded(mean[0]! - b),
    a: basis === "none" ? null : mean[1]!,
    theta: Object.fromEntries(features.map((feature, j) => [feature, mean[2 + j]!])) as Record<Feature, number>,
    c: mean[2 + features.length]!,
    novelty_from: from,
    covariance,
    as_of: dated.reduce<number | null>((newest, { at }) => (newest === null || at > newest ? at : newest), null),
    live: live.length > 0,
    typical: typicalCase(records, basis),
    labels: { evaluation: count("evaluation"), random: count("random"), volunteered: count("volunteered") },
    judged_share,
    records_digest: recordsDigest(records, terms, config),
  };
}

/** To nine decimals, so that machines whose logarithms differ in the last digit fit the same map. */
const rounded = (value: number): number => Math.round(value * 1e9) / 1e9 || 0;

/** `sha256:` and hex of the canonical JSON (RFC 8785). */
export function digestOf(value: unknown): string {
  return `sha256:${hash("sha256", canonicalJson(value), "hex")}`;
}

/** SHA-256 over a line of canonical JSON for configuration and terms, then one for each record, by case. */
function recordsDigest(records: readonly JudgedRecord[], terms: FitTerms, config: TrustConfig): string {
  const lines = records.map(({ id, case: given, outcome, weight, origin, at }) =>
    JSON.stringify([
      id,
      given.probability ?? null,
      ...features.map((feature) => given[feature] ?? 0),
      outcome,
      weight,
      origin,
      at,
    ]),
  );
  return `sha256:${hash("sha256", [canonicalJson({ config, terms }), ...lines.sort()].join("\n"), "hex")}`;
}

function priorOfB({ basis, borrowed }: FitTerms, config: TrustConfig): Normal {
  const own = config.priors[basis].b;
  if (basis !== "none" || !borrowed?.b) return own;
  return { mean: borrowed.b.mean, variance: Math.min(own.variance, borrowed.b.variance + config.borrowed.b) };
}

function priorOfC({ judged_share, borrowed }: FitTerms, config: TrustConfig): Normal {
  if (borrowed?.c) return { mean: borrowed.c.mean, variance: borrowed.c.variance + config.borrowed.c };
  const f = Math.max(config.volunteered.least, 1 - judged_share);
  return { mean: config.volunteered.shift * f, variance: f ** 2 };
}

/** What a fit lends to the version after it; nothing that only its own prior says. */
export function lend(fit: TrustFit, now: number, config: TrustConfig): Borrowed {
  const { labels, b, drift, c, covariance } = fit;
  const last = covariance.length - 1;
  return {
    ...(labels.volunteered > 0 ? { c: { mean: c, variance: covariance[last]![last]! } } : {}),
    ...(fit.as_of === null
      ? {}
      : { b: { mean: b + drift, variance: covariance[0]![0]! + widening(fit, now, config) } }),
  };
}

/** By how much the variance of the level has grown since the newest record: time without judgement only widens the interval. */
export function widening({ as_of, live }: Pick<TrustFit, "as_of" | "live">, now: number, config: TrustConfig): number {
  if (as_of === null) return 0;
  return (live ? 0 : config.drift.first) + config.drift.week * weeksBetween(as_of, now);
}

/** Whole weeks from one moment to a later one. */
export function weeksBetween(from: number, to: number): number {
  return Math.max(0, Math.floor((to - from) / WEEK_MS));
}

/** The mean of the cases; of those that nobody chose to judge, where there are some. */
function typicalCase(records: readonly JudgedRecord[], basis: Basis): TrustCase {
  const unchosen = records.filter((one) => !isVolunteered(one));
  const of = (unchosen.length > 0 ? unchosen : records).filter(
    ({ case: { probability } }) => (basis === "none") === (probability === undefined),
  );
  if (of.length === 0) return {};
  const sorted = [...of].sort((p, q) => (p.id < q.id ? -1 : 1));
  const mean = (name: Feature | "probability"): number => {
    const value = sorted.reduce((sum, { case: given }) => sum + (given[name] ?? 0), 0) / of.length;
    return Math.round(value * 1e6) / 1e6;
  };
  const signals = features.map((feature) => [feature, mean(feature)] as const).filter(([, value]) => value > 0);
  return {
    ...(basis === "none" ? {} : { probability: mean("probability"), probability_source: basis }),
    ...Object.fromEntries(signals),
  };
}
