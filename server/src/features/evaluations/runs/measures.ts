import { type GateItem, type GateScorer, type ScorerFigures, scorerFigures } from "../../../kernel/gate/index.ts";
import type { StoredItem } from "../datasets/store.ts";
import { GATE_START } from "../gates/schemas.ts";
import { type ScorerDefinition, scoreOf } from "../scorers/rules.ts";
import type { ItemOutcome, RunScorer } from "./store.ts";

/** A run without output scores 0. Scorers that do not apply to the item are left out. */
export function scoresOf(
  scorers: readonly (ScorerDefinition & { readonly scorer: string })[],
  output: Readonly<Record<string, unknown>> | null,
  expected: unknown,
): Record<string, number> {
  return Object.fromEntries(
    scorers.flatMap((scorer) => {
      const score = scoreOf(scorer, output ?? {}, expected);
      return score === null ? [] : [[scorer.scorer, output === null ? 0 : score]];
    }),
  );
}

/** In the order of their repeats. */
export function byItem(outcomes: readonly ItemOutcome[]): Map<string, ItemOutcome[]> {
  const items = new Map<string, ItemOutcome[]>();
  for (const outcome of outcomes) {
    const list = items.get(outcome.item);
    if (list) list.push(outcome);
    else items.set(outcome.item, [outcome]);
  }
  return items;
}

/** A dataset's items with the outputs of one version, and maybe of another. */
export interface MeasuredSet {
  readonly items: readonly StoredItem[];
  readonly candidate: ReadonlyMap<string, readonly ItemOutcome[]>;
  /** Null without a deployed version. */
  readonly deployed: ReadonlyMap<string, readonly ItemOutcome[]> | null;
  /** Distinguishes items of several datasets. */
  readonly prefix: string;
}

/** Scores the outputs again by this definition, on both sides alike. */
export function gateScorer(
  scorer: ScorerDefinition & { readonly scorer: string },
  sets: readonly MeasuredSet[],
  rule: { readonly floor?: number; readonly pass_at?: number } = {},
): GateScorer {
  const scores = (outcomes: readonly ItemOutcome[] | undefined, expected: unknown): number[] =>
    (outcomes ?? []).flatMap(({ output }) => scoresOf([scorer], output, expected)[scorer.scorer] ?? []);
  const items = sets.flatMap(({ items, candidate, deployed, prefix }) =>
    items.flatMap((item): GateItem[] => {
      const own = scores(candidate.get(item.name), item.expected);
      if (own.length === 0) return [];
      return [
        {
          item: `${prefix}${item.name}`,
          ...(item.cluster !== null && { cluster: `${prefix}${item.cluster}` }),
          must_pass: item.must_pass,
          candidate: own,
          deployed: deployed ? scores(deployed.get(item.name), item.expected) : [],
        },
      ];
    }),
  );
  const floor = rule.floor === undefined ? {} : { floor: rule.floor };
  return { scorer: scorer.scorer, pass_at: rule.pass_at ?? scorer.pass_at, ...floor, items };
}

/** By item, repeat by repeat. */
export type ScoresByItem = ReadonlyMap<string, readonly Readonly<Record<string, number>>[]>;

/** Figures from the stored scores; scorers without a score are left out. */
export function runFigures(
  scorers: readonly RunScorer[],
  items: readonly StoredItem[],
  scores: ScoresByItem,
): readonly ScorerFigures[] {
  const measured = scorers.map(({ scorer, pass_at }): GateScorer => {
    const own = items.flatMap(({ name, cluster, must_pass }): GateItem[] => {
      const candidate = (scores.get(name) ?? []).flatMap((repeat) => repeat[scorer] ?? []);
      return candidate.length === 0 ? [] : [{ item: name, ...(cluster !== null && { cluster }), must_pass, candidate }];
    });
    return { scorer, pass_at, items: own };
  });
  const speaking = measured.filter((one) => one.items.length > 0);
  if (speaking.length === 0) return [];
  const rule = { floor: 0, tolerance: GATE_START.tolerance, repeats: 1, max_repeats: 1 };
  return scorerFigures({ rule, compared: false, repeats: 1, scorers: speaking });
}
