import type { BoundedMean, GateInput, GateItem, GateReason, GateReasonCode, GateScorer, GateTest, ScorerFigures } from "./types.ts";

/** Sentences for people about what a gate found. */

const shown = (value: number): string => String(Number(value.toFixed(3))).replace("-", "−");
const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

function reason(code: GateReasonCode, scorer: string | null, text: string, item: string | null = null): GateReason {
  return { code, scorer, item, text };
}

export function mustPassFailed({ scorer }: GateScorer, { item, candidate }: GateItem, failed: number): GateReason {
  const text = `The item ${item} must pass, but failed ${scorer} in ${failed} of ${count(candidate.length, "repeat")}.`;
  return reason("must_pass_failed", scorer, text, item);
}

/** What any scorer shows against the version, after Holm. */
export function opposing(figures: readonly ScorerFigures[], { look }: GateInput, alpha: number): GateReason[] {
  return figures.flatMap(({ scorer, score, difference, floor }) => {
    const found: GateReason[] = [];
    if (difference && difference.p_worse <= alpha) {
      const drop = `${scorer}: ${shown(-difference.mean)} below the deployed version`;
      const how =
        look === 1 ? `, and surely at least ${shown(-(difference.high ?? 0))} (95 %, ${count(difference.n, "independent item")})` : "";
      found.push(reason("worse_than_deployed", scorer, `${drop}${how}${evidence(look, difference.e_worse)}.`));
    }
    if (score.p_worse <= alpha) {
      const how = look === 1 ? `, and surely at most ${shown(score.high ?? 1)} (95 %, ${count(score.n, "independent item")})` : "";
      found.push(
        reason(
          "below_floor",
          scorer,
          `${scorer}: ${shown(score.mean)}${how}; the floor is ${shown(floor)}${evidence(look, score.e_worse)}.`,
        ),
      );
    }
    return found;
  });
}

/** What keeps the gate from opening although nothing speaks against the version. */
export function unsettled(
  figures: readonly ScorerFigures[],
  { look, rule, compared, uncompared = [] }: GateInput,
  alpha: number,
): GateReason[] {
  const unsettledOf = (one: ScorerFigures): GateReason[] => {
    const { scorer, score, difference, floor } = one;
    const found: GateReason[] = [];
    if (compared && difference === null && uncompared.length === 0)
      found.push(reason("not_compared", scorer, `${scorer}: the deployed version was run on none of these items; run it on the same set.`));
    if (difference && difference.p_holds > alpha) found.push(dropNotExcluded(scorer, difference, rule.tolerance, look));
    if (score.p_holds > alpha) found.push(floorNotReached(scorer, score, floor, look));
    return found;
  };
  return [...uncompared.map(setNotCompared), ...figures.flatMap(unsettledOf)];
}

function setNotCompared(set: string): GateReason {
  return reason("not_compared", null, `${set}: the deployed version has no finished run over this set to compare with; run it on the set.`);
}

function dropNotExcluded(scorer: string, at: BoundedMean & GateTest, tolerance: number, look: number): GateReason {
  if (at.low === null) return tooFew(scorer);
  const most = `${scorer}: changed by ${shown(at.mean)}; a drop of up to ${shown(Math.max(0, -at.low))} is not excluded (95 %, ${count(at.n, "independent item")})`;
  return reason("drop_not_excluded", scorer, `${most}, ${shown(tolerance)} is tolerated${evidence(look, at.e_holds)}.`);
}

function floorNotReached(scorer: string, at: BoundedMean & GateTest, floor: number, look: number): GateReason {
  if (at.low === null) return tooFew(scorer);
  const least = `${scorer}: ${shown(at.mean)}, but surely only at least ${shown(at.low)} (95 %, ${count(at.n, "independent item")})`;
  return reason("floor_not_reached", scorer, `${least}; the floor is ${shown(floor)}${evidence(look, at.e_holds)}.`);
}

function tooFew(scorer: string): GateReason {
  return reason("too_few_items", scorer, `${scorer}: one independent item says nothing of the next; add items.`);
}

/** At later looks the bounds are those of a fixed size; what counts is the evidence gathered over all looks. */
function evidence(look: number, e: number | null): string {
  return look === 1 || e === null ? "" : ` (look ${look}: the evidence stands at ${shown(Math.min(e, 1e6))}, 20 settle it)`;
}

/** Why the gate is open. */
export function holding(figures: readonly ScorerFigures[], { rule }: GateInput): GateReason[] {
  return figures.map(({ scorer, score, difference, floor }) => {
    const least = `${scorer}: ${shown(score.mean)}, at least ${shown(score.low ?? 0)} (95 %), floor ${shown(floor)}`;
    const change =
      difference &&
      `; changed by ${shown(difference.mean)}, at worst by ${shown(difference.low ?? -1)}, ${shown(rule.tolerance)} tolerated`;
    return reason("holds", scorer, `${least}${change ?? ""} (${count((difference ?? score).n, "independent item")}).`);
  });
}
