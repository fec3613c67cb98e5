import { gateConfig } from "../../server/src/kernel/gate/index.ts";
import {
  boundPValue,
  type ClusterMean,
  clusterMean,
  differenceRange,
  effectiveError,
  logEValue,
} from "../../server/src/kernel/statistics/index.ts";
import { createMixedChange, drawItem } from "./population.ts";
import { createRandom, type Random } from "./random.ts";

/** How often a test errs that is asked again after every repeat, when the truth lies exactly on its boundary. */

export interface PeekingSettings {
  readonly items: number;
  /** Looks after each repeat from the first to this one. */
  readonly looks: number;
  readonly tolerance: number;
  /** Share of items on which the versions really differ, without changing the mean. */
  readonly mixed: number;
  readonly runs: number;
}

export interface PeekingError {
  readonly items: number;
  /** "stops": no true drop, yet found worse. "opens": a drop of exactly the tolerance, yet found to hold. */
  readonly question: "stops" | "opens";
  /** Share of runs in which the sequential test ever erred over all looks; at its last look alone; and the fixed-size test at any look. */
  readonly sequential: number;
  readonly fixed_once: number;
  readonly fixed_peeking: number;
}

interface Item {
  readonly cluster: string;
  readonly before: number;
  readonly after: number;
  gained: number;
}

export function simulatePeeking(question: "stops" | "opens", settings: PeekingSettings, seed: number): PeekingError {
  const random = createRandom(seed, `peeking ${question} ${settings.items}`);
  const { alpha } = gateConfig;
  const counts = { sequential: 0, once: 0, peeking: 0 };
  for (let run = 0; run < settings.runs; run++) {
    const seen = look(question, settings, random);
    if (seen.some(({ logE }) => logE >= -Math.log(alpha))) counts.sequential++;
    if (seen.some(({ p }) => p <= alpha)) counts.peeking++;
    if (seen.at(-1)!.p <= alpha) counts.once++;
  }
  return {
    items: settings.items,
    question,
    sequential: counts.sequential / settings.runs,
    fixed_once: counts.once / settings.runs,
    fixed_peeking: counts.peeking / settings.runs,
  };
}

/** One test set, looked at after each repeat. */
function look(question: "stops" | "opens", settings: PeekingSettings, random: Random): { p: number; logE: number }[] {
  const [side, threshold] = question === "stops" ? ([1, 0] as const) : ([-1, -settings.tolerance] as const);
  const change = createMixedChange(question === "stops" ? 0 : settings.tolerance, settings.mixed);
  const items = Array.from({ length: settings.items }, (_, index): Item => {
    const before = drawItem(random);
    return { cluster: String(index), before, after: change(before, random), gained: 0 };
  });
  return Array.from({ length: settings.looks }, (_, index) => {
    for (const item of items) item.gained += random.yes(item.after) - random.yes(item.before);
    const values = items.map(({ cluster, gained }) => ({ cluster, value: gained / (index + 1) }));
    const mean = clusterMean(values, differenceRange) as ClusterMean;
    const p = boundPValue(mean, side, threshold);
    const logE =
      p === 1
        ? Number.NEGATIVE_INFINITY
        : logEValue({ p, standard_error: effectiveError(mean, side, gateConfig.alpha) }, gateConfig.effect);
    return { p, logE };
  });
}
