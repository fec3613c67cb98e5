import { boundPValue, type ClusterMean, effectiveError, oneSidedBound } from "../statistics/cluster-mean.ts";
import { logEValue } from "../statistics/e-process.ts";
import { holmAdjusted } from "../statistics/holm.ts";
import { gateConfig } from "./config.ts";
import { checkInput, failedRepeats, failures, type Measured, measure } from "./measure.ts";
import { holding, mustPassFailed, opposing, unsettled } from "./reasons.ts";
import { itemsToSettle, smallestDetectableDrop } from "./settle.ts";
import type { BoundedMean, GateDecision, GateInput, GateReason, GateTest, ScorerFigures } from "./types.ts";

const { alpha, effect } = gateConfig;

/**
 * Decides a gate (governance: evaluation gate). In this order:
 *
 * - failed: a must-pass item fails in most repeats; or the upper bound of (candidate − deployed) lies below 0, or that of the score below the floor.
 *   Any scorer may show it, so over scorers the p-values of each of the two questions are corrected by Holm.
 * - open: for every scorer the lower bound of (candidate − deployed) lies above −tolerance and that of the score at or above the floor. All must
 *   show it, so no correction is needed (Berger 1982).
 * - inconclusive: otherwise.
 *
 * At the first look the bounds are Student's over clusters. Later looks count only what the always-valid test has shown with all data so far.
 * Throws a RangeError that names what has no meaning in the input.
 */
export function decideGate(input: GateInput): GateDecision {
  checkInput(input);
  const all = input.scorers.map((scorer) => measure(scorer, input));
  const figures = figuresOf(all, input);
  const against = [...mustPass(input), ...opposing(figures, input, alpha)];
  const lacking = against.length > 0 ? [] : unsettled(figures, input, alpha);
  const verdict = against.length > 0 ? "failed" : lacking.length > 0 ? "inconclusive" : "open";
  const repeats = Math.min(...all.map((one) => one.repeats));
  const n = Math.min(...all.map(({ score, difference }) => (difference ?? score).n));
  const needed = itemsToSettle(all, input);
  const again = verdict === "inconclusive" && repeats < input.rule.max_repeats && all.some(({ noisy }) => noisy);
  return {
    verdict,
    reasons: verdict === "failed" ? against : verdict === "inconclusive" ? lacking : holding(figures, input),
    look: input.look,
    n,
    repeats,
    smallest_detectable_drop: largest(figures.map(({ score, difference }) => (difference ?? score).smallest_detectable_drop)),
    items_to_settle: verdict === "inconclusive" ? needed && Math.max(needed, n + 1) : Math.min(needed ?? n, n),
    // One at a time: the sequential test loses nothing by looking often, and the budget only what was needed.
    repeats_to_add: again ? 1 : 0,
    scorers: figures,
  };
}

function largest(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : Math.max(...(values as readonly number[]));
}

/** Items that must pass and fail in most repeats, by whichever scorer. */
function mustPass({ scorers }: GateInput): GateReason[] {
  return scorers.flatMap((scorer) =>
    scorer.items.flatMap((item) => {
      const failed = failedRepeats(item, scorer);
      return item.must_pass === true && 2 * failed > item.candidate.length ? [mustPassFailed(scorer, item, failed)] : [];
    }),
  );
}

function figuresOf(all: readonly Measured[], { look, rule }: GateInput): ScorerFigures[] {
  const scoreTests = all.map(({ score, floor }) => testOf(score, floor, floor, look));
  const differenceTests = all.map(({ difference }) => difference && testOf(difference, 0, -rule.tolerance, look));
  const scoreWorse = holmAdjusted(scoreTests.map(({ p_worse }) => p_worse));
  const differenceWorse = holmAdjusted(differenceTests.map((test) => test?.p_worse ?? 1));
  return all.map(({ scorer, floor, score, difference, repeats }, index) => {
    const test = differenceTests[index];
    return {
      scorer: scorer.scorer,
      items: scorer.items.length,
      repeats,
      floor,
      score: { ...bounded(score), ...scoreTests[index]!, p_worse: scoreWorse[index]! },
      difference: difference && test ? { ...bounded(difference), ...test, p_worse: differenceWorse[index]! } : null,
      failures: failures(scorer),
    };
  });
}

function bounded(at: ClusterMean): BoundedMean {
  return {
    mean: at.mean,
    standard_error: at.standard_error,
    low: oneSidedBound(at, -1, alpha),
    high: oneSidedBound(at, 1, alpha),
    n: at.n,
    smallest_detectable_drop: smallestDetectableDrop(at),
  };
}

/** Asks whether the truth lies below `good`, and whether at or above `allowed`. */
function testOf(at: ClusterMean, good: number, allowed: number, look: number): GateTest {
  const p = { worse: boundPValue(at, 1, good), holds: boundPValue(at, -1, allowed) };
  if (look === 1) return { p_worse: p.worse, p_holds: p.holds, e_worse: null, e_holds: null };
  const e = { worse: eValue(at, 1, p.worse), holds: eValue(at, -1, p.holds) };
  return { p_worse: Math.min(1, 1 / e.worse), p_holds: Math.min(1, 1 / e.holds), e_worse: e.worse, e_holds: e.holds };
}

/** More evidence than this tells nobody more. */
const MOST_EVIDENCE = 1e9;

/** e-value of a question, from 0 to `MOST_EVIDENCE`. */
function eValue(at: ClusterMean, side: -1 | 1, p: number): number {
  if (p === 1) return 0;
  const error = effectiveError(at, side, alpha);
  return error > 0 ? Math.min(MOST_EVIDENCE, Math.exp(logEValue({ p, standard_error: error }, effect))) : MOST_EVIDENCE;
}
