import type {
  BoundedMean,
  GateInput,
  GateItem,
  GateLevels,
  GateReason,
  GateReasonCode,
  GateScorer,
  GateTest,
  ScorerFigures,
} from "./types.ts";

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
export function opposing(figures: readonly ScorerFigures[], { fail }: GateLevels): GateReason[] {
  return figures.flatMap(({ scorer, score, difference, floor }) => {
    const found: GateReason[] = [];
    if (difference && difference.p_worse <= fail) {
      const drop = `${scorer}: ${shown(-difference.mean)} below the deployed version`;
      found.push(
        reason(
          "worse_than_deployed",
          scorer,
          `${drop} (${of(difference)}; ${shownP(difference.p_worse)}, at most ${fail} fails).`,
        ),
      );
    }
    if (score.p_worse <= fail) {
      const text = `${scorer}: ${shown(score.mean)}; the floor is ${shown(floor)} (${of(score)}; ${shownP(score.p_worse)}, at most ${fail} fails).`;
      found.push(reason("below_floor", scorer, text));
    }
    return found;
  });
}

/** What keeps the gate from opening although nothing speaks against the version. */
export function unsettled(
  figures: readonly ScorerFigures[],
  { rule, compared, uncompared = [] }: GateInput,
  { open }: GateLevels,
): GateReason[] {
  const unsettledOf = (one: ScorerFigures): GateReason[] => {
    const { scorer, score, difference, floor } = one;
    const found: GateReason[] = [];
    if (compared && difference === null && uncompared.length === 0)
      found.push(
        reason(
          "not_compared",
          scorer,
          `${scorer}: the deployed version was run on none of these items; run it on the same set.`,
        ),
      );
    if (difference && difference.p_holds > open) found.push(dropNotExcluded(scorer, difference, rule.tolerance, open));
    if (score.p_holds > open) found.push(floorNotReached(scorer, score, floor, open));
    return found;
  };
  return [...uncompared.map(setNotCompared), ...figures.flatMap(unsettledOf)];
}

function setNotCompared(set: string): GateReason {
  return reason(
    "not_compared",
    null,
    `${set}: the deployed version has no finished run over this set to compare with; run it on the set.`,
  );
}

function dropNotExcluded(scorer: string, at: BoundedMean & GateTest, tolerance: number, open: number): GateReason {
  if (at.low === null) return tooFew(scorer);
  const most = `${scorer}: changed by ${shown(at.mean)}; a drop of more than the tolerated ${shown(tolerance)} is not excluded`;
  return reason("drop_not_excluded", scorer, `${most} (${of(at)}; ${shownP(at.p_holds)}, at most ${open} opens).`);
}

function floorNotReached(scorer: string, at: BoundedMean & GateTest, floor: number, open: number): GateReason {
  if (at.low === null) return tooFew(scorer);
  const least = `${scorer}: ${shown(at.mean)} does not show that the floor of ${shown(floor)} is reached`;
  return reason("floor_not_reached", scorer, `${least} (${of(at)}; ${shownP(at.p_holds)}, at most ${open} opens).`);
}

function tooFew(scorer: string): GateReason {
  return reason("too_few_items", scorer, `${scorer}: one independent item says nothing of the next; add items.`);
}

const of = ({ n }: BoundedMean): string => count(n, "independent item");
const shownP = (p: number): string =>
  p < 0.0001 ? "p < .0001" : `p = ${String(Number(p.toPrecision(2))).replace(/^0\./, ".")}`;

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
