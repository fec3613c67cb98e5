import { type Channel, channels, type Feature, features, type TrustConfig } from "./config.ts";
import type { Evidence } from "./evidence.ts";
import { type Calibration, prepareEvidence, scoreTrust, type TrustScore } from "./score.ts";

/** One thing that would raise a score, and to what. */
export interface TrustRaise {
  /** `items`: so many more successes of full weight in a channel. `to`: a feature brought to that value. */
  readonly change:
    | { readonly kind: "evidence"; readonly channel: Channel; readonly items: number }
    | { readonly kind: "feature"; readonly feature: Feature; readonly to: 0 | 1 };
  readonly score: number;
  readonly low: number;
  readonly gain: number;
}

/** So many further successes are supposed per channel. */
export const SUPPOSED_ITEMS = 10;

/** What would raise a score, each change by itself, greatest gain first (then greatest lower bound). Only changes that raise the published score. */
export function whatWouldRaise(score: TrustScore, items: number = SUPPOSED_ITEMS): TrustRaise[] {
  const { config, evidence, features: x, calibration } = score.inputs;
  const raises: TrustRaise[] = [];
  const suppose = (change: TrustRaise["change"], then: TrustScore) => {
    const gain = Math.round((then.score - score.score) * 10_000) / 10_000;
    if (gain > 0) raises.push({ change, score: then.score, low: then.low, gain });
  };
  for (const channel of channels) {
    suppose({ kind: "evidence", channel, items }, rescored(withSuccesses(evidence, channel, items), x, calibration, config));
  }
  for (const feature of features) {
    const to = config.theta[feature] > 0 ? 1 : 0;
    if (x[feature] !== to) suppose({ kind: "feature", feature, to }, rescored(evidence, { ...x, [feature]: to }, calibration, config));
  }
  return raises.sort((a, b) => b.gain - a.gain || b.low - a.low);
}

function withSuccesses(evidence: Evidence, channel: Channel, items: number): Evidence {
  const sums = evidence.sums[channel];
  return { as_of: evidence.as_of, sums: { ...evidence.sums, [channel]: { S: sums.S + items, F: sums.F } } };
}

function rescored(evidence: Evidence, x: Readonly<Record<Feature, number>>, calibration: Calibration, config: TrustConfig): TrustScore {
  return scoreTrust(prepareEvidence(evidence, config), x, calibration, config);
}
