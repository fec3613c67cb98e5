import { type Channel, channels, type TrustConfig, type VersionChange } from "./config.ts";

/** One item of evidence about (agent version, skill, environment). */
export interface EvidenceItem {
  readonly channel: Channel;
  /** How well it went, in [0, 1]. */
  readonly y: number;
  /** When it was won, in milliseconds since the epoch. */
  readonly at: number;
  /** v in [0, 1]: see `versionFactor`. */
  readonly v: number;
  /** q in [0, 1]: see `sourceQuality`. */
  readonly q: number;
}

/** Sums of one channel: successes S = Σ u·y and failures F = Σ u·(1 − y). */
export interface ChannelSums {
  readonly S: number;
  readonly F: number;
}

/**
 * Evidence ready to be scored: the sums as they stood at `as_of` (ms since the epoch). All items decay alike, so sums decay as a whole,
 * and sums of parts add up. Never changed in place: new evidence is a new object.
 */
export interface Evidence {
  readonly as_of: number;
  readonly sums: Readonly<Record<Channel, ChannelSums>>;
}

const DAY_MS = 86_400_000;
const NOTHING: ChannelSums = { S: 0, F: 0 };

/** Evidence without an item. */
export function noEvidence(asOf: number): Evidence {
  return { as_of: asOf, sums: { evaluations: NOTHING, runs: NOTHING, approvals: NOTHING, groundedness: NOTHING } };
}

/** v: how much an item counts after what changed since its version: 1, .5 after a prompt or tool change, .25 after a model change (start). */
export function versionFactor(change: VersionChange, config: TrustConfig): number {
  return config.version_factor[change];
}

export type EvidenceSource =
  | { readonly kind: "code" | "person" }
  /** `rates` measured on labelled items: true positive and true negative rate; null before. */
  | { readonly kind: "judge"; readonly rates: { readonly tpr: number; readonly tnr: number } | null };

/** q: 1 for code and people; J² for a model judge with J = TPR + TNR − 1 (Youden 1950), 0 when it is no better than chance, .25 before it is measured. */
export function sourceQuality(source: EvidenceSource, config: TrustConfig): number {
  if (source.kind !== "judge") return 1;
  if (source.rates === null) return config.unmeasured_judge;
  const { tpr, tnr } = source.rates;
  if (!(tpr >= 0 && tpr <= 1 && tnr >= 0 && tnr <= 1)) throw new RangeError("rates of a judge lie in [0, 1]");
  return Math.max(0, tpr + tnr - 1) ** 2;
}

/** What the end of a run says: 1 completed, 0 failed; other ends (cancelled, expired, …) say nothing: null. */
export function runOutcome(status: string): 0 | 1 | null {
  if (status === "completed") return 1;
  return status === "failed" ? 0 : null;
}

/** What remains of evidence after `ms`: 2^(−age / half-life), and 1 for what is dated in the future. */
export function decayFactor(ms: number, config: TrustConfig): number {
  return ms <= 0 ? 1 : 2 ** (-ms / (config.half_life_days * DAY_MS));
}

/** The same evidence at a later time. An earlier one leaves it as it is. */
export function decayEvidence(evidence: Evidence, asOf: number, config: TrustConfig): Evidence {
  if (asOf <= evidence.as_of) return evidence;
  const factor = decayFactor(asOf - evidence.as_of, config);
  return { as_of: asOf, sums: mapSums((channel) => scaled(evidence.sums[channel], factor)) };
}

/**
 * Evidence at `asOf` from items, on top of `earlier` sums when given. Throws a RangeError for an item whose y, v or q is not in [0, 1].
 */
export function aggregateEvidence(items: Iterable<EvidenceItem>, asOf: number, config: TrustConfig, earlier?: Evidence): Evidence {
  const start = earlier === undefined ? noEvidence(asOf) : decayEvidence(earlier, asOf, config);
  const sums = mapSums((channel) => ({ ...start.sums[channel] }));
  for (const item of items) {
    const { channel, y, at, v, q } = item;
    if (!(y >= 0 && y <= 1 && v >= 0 && v <= 1 && q >= 0 && q <= 1)) throw new RangeError("y, v and q of evidence lie in [0, 1]");
    const u = decayFactor(asOf - at, config) * v * q;
    sums[channel].S += u * y;
    sums[channel].F += u * (1 - y);
  }
  return { as_of: Math.max(asOf, start.as_of), sums };
}

function scaled(sums: ChannelSums, factor: number): ChannelSums {
  return { S: sums.S * factor, F: sums.F * factor };
}

function mapSums<T>(make: (channel: Channel) => T): Record<Channel, T> {
  return Object.fromEntries(channels.map((channel) => [channel, make(channel)])) as Record<Channel, T>;
}
