import { gateConfig } from "./config.ts";
import type { GateItem, GateLevels, GateScorer } from "./types.ts";

// When a gate looks at the pooled repeats of a version, and how sure it must be each time. All runs of a version over a
// dataset are one test: the levels of all looks, reruns without end included, sum to at most .05 for failing and .027 for opening.

const { planned, rerun } = gateConfig.levels;

/** Pooled repeats at which a look is taken: `first`, 2 and 4 times as many, then `first` more for each rerun. */
export function repeatsAt(look: number, first: number): number {
  return look <= planned.length ? first * 2 ** (look - 1) : first * (2 ** (planned.length - 1) + look - planned.length);
}

/** Looks that so many pooled repeats are enough for; at least the first. */
export function looksBy(repeats: number, first: number): number {
  let looks = 1;
  while (repeatsAt(looks + 1, first) <= repeats) looks++;
  return looks;
}

/** The p-values at or below which a look decides. Rerun j spends 1/(j(j+1)) of what is left for all of them. */
export function levelsAt(look: number): GateLevels {
  const level = planned[look - 1];
  if (level) return level;
  const j = look - planned.length;
  return { fail: rerun.fail / (j * (j + 1)), open: rerun.open / (j * (j + 1)) };
}

/** The same of a look by which all repeats agreed, while later ones differ: failing stays as easy as it was, opening becomes no easier. */
export function agreedAt(look: number): GateLevels {
  return { ...levelsAt(look), fail: gateConfig.levels.agreed.fail };
}

/** What an earlier look saw: the first `repeats` of the items that had as many by then. `newest` looks see every item, also one with fewer. */
export function seenBy(scorers: readonly GateScorer[], repeats: number, newest: boolean): GateScorer[] {
  const cut = (item: GateItem): GateItem => ({
    ...item,
    candidate: item.candidate.slice(0, repeats),
    ...(item.deployed && { deployed: item.deployed.slice(0, repeats) }),
  });
  return scorers.flatMap((scorer) => {
    const items = scorer.items.filter(({ candidate }) => newest || candidate.length >= repeats).map(cut);
    return items.length > 0 ? [{ ...scorer, items }] : [];
  });
}
