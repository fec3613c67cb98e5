import { type Feature, features, type TrustConfig } from "./config.ts";
import { type TrustFit, widening } from "./fit.ts";
import type { TrustCase } from "./record.ts";
import { coordinatesOf, published, Q90, scoreTrust, varianceOf } from "./score.ts";

/** One thing that would raise a score, and to what. */
export interface TrustRaise {
  /** `judged`: so many more outcomes, drawn at random and all accepted. `feature`: a signal that is gone. */
  readonly change:
    | { readonly kind: "judged"; readonly items: number }
    | { readonly kind: "feature"; readonly feature: Feature };
  readonly score: number;
  readonly low: number;
  readonly gain: number;
}

/** So many further successes are supposed. */
export const SUPPOSED_ITEMS = 10;

/** What would raise the score of a case or its lower end, each change by itself, greatest gain first (then greatest lower end). */
export function whatWouldRaise(
  fit: TrustFit,
  given: TrustCase,
  now: number,
  config: TrustConfig,
  items = SUPPOSED_ITEMS,
): TrustRaise[] {
  const before = scoreTrust(fit, given, now, config);
  const gainOf = (score: number): number => Math.round((score - before.score) * 10_000) / 10_000;
  const raises = features.flatMap((feature): TrustRaise[] => {
    if ((given[feature] ?? 0) === 0) return [];
    const { score, low } = scoreTrust(fit, { ...given, [feature]: 0 }, now, config);
    return [{ change: { kind: "feature", feature }, score, low, gain: gainOf(score) }];
  });
  const judged = supposed(fit, given, now, config, items);
  raises.push({ change: { kind: "judged", items }, ...judged, gain: gainOf(judged.score) });
  return raises
    .filter(({ gain, low }) => gain > 0 || low > before.low)
    .sort((p, q) => q.gain - p.gain || q.low - p.low);
}

/** The score after `items` more successes of cases like this one: the Laplace posterior of z as the prior, N(z, s²), and its mode by Newton's method. */
function supposed(
  fit: TrustFit,
  given: TrustCase,
  now: number,
  config: TrustConfig,
  items: number,
): { score: number; low: number } {
  const { z } = scoreTrust(fit, given, now, config);
  const variance = Math.max(1e-12, varianceOf(fit, coordinatesOf(fit, given, config)) + widening(fit, now, config));
  let [from, to] = [z, z + items * variance];
  for (let round = 0; round < 60; round++) {
    const middle = (from + to) / 2;
    // The slope of −(u − z)² / 2s² + n ln σ(u) falls in u.
    if (items / (1 + Math.exp(middle)) > (middle - z) / variance) from = middle;
    else to = middle;
  }
  const p = 1 / (1 + Math.exp(-from));
  const deviation = Math.sqrt(1 / (1 / variance + items * p * (1 - p)));
  return { score: published(p), low: published(1 / (1 + Math.exp(-(from - Q90 * deviation)))) };
}
