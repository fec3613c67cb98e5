import { boundPValue, type ClusterMean, holmAdjusted, oneSidedBound } from "@aos/statistics";
import { gateConfig } from "./config.ts";
import { agreedAt, levelsAt, looksBy, repeatsAt, seenBy } from "./looks.ts";
import { checkInput, failedRepeats, failures, type Measured, measure } from "./measure.ts";
import { holding, mustPassFailed, opposing, unsettled } from "./reasons.ts";
import { itemsToSettle, smallestDetectableDrop } from "./settle.ts";
import type {
  BoundedMean,
  GateDecision,
  GateInput,
  GateLevels,
  GateLook,
  GateReason,
  GateScorer,
  GateTest,
  GateVerdictWord,
  ScorerFigures,
} from "./types.ts";

/** What one look found. */
interface Look extends GateLook {
  readonly reasons: readonly GateReason[];
  readonly figures: readonly ScorerFigures[];
  readonly measured: readonly Measured[];
}

/**
 * Decides a gate from all repeats that a version has. It takes one look after another at growing prefixes of them, as if each
 * rerun had just come in, so that running an evaluation again cannot open a gate by chance. A look says, in this order:
 *
 * - failed: a must-pass item fails in most repeats; or the p-value of "not worse than deployed" or "not below the floor" is at or below the look's level.
 *   Any scorer may show it, so over scorers the p-values of each of the two questions are corrected by Holm.
 * - open: for every scorer, the p-values of "dropped by the tolerance or more" and "below the floor" are at or below the look's level. All must show it,
 *   so no correction is needed (Berger 1982).
 * - inconclusive: otherwise.
 *
 * The first look that fails is final. A gate that a look has opened stays open until one fails. Where all repeats agree, further ones tell nothing, and one
 * look decides. Throws a RangeError that names what has no meaning in the input.
 */
export function decideGate(input: GateInput): GateDecision {
  checkInput(input);
  const all = input.scorers.map((scorer) => measure(scorer, input));
  const noisy = all.some((one) => one.noisy);
  const looks = noisy ? takeLooks(input) : [lookAt(input, 1, input.repeats, gateConfig.levels.agreed)];
  const last = looks.at(-1)!;
  const deciding =
    looks.find(({ verdict }) => verdict === "failed") ?? looks.findLast(({ verdict }) => verdict === "open") ?? last;
  const { verdict } = deciding;
  const n = Math.min(...last.measured.map(({ score, difference }) => (difference ?? score).n));
  const needed = itemsToSettle(last.measured, input, last.levels);
  const next = noisy && verdict !== "failed" ? nextLook(last.look, input) : null;
  return {
    verdict,
    reasons: deciding.reasons,
    look: last.look,
    n,
    repeats: Math.min(...last.measured.map((one) => one.repeats)),
    smallest_detectable_drop: largest(
      last.figures.map(({ score, difference }) => (difference ?? score).smallest_detectable_drop),
    ),
    items_to_settle: verdict === "inconclusive" ? needed && Math.max(needed, n + 1) : Math.min(needed ?? n, n),
    repeats_to_add:
      verdict === "inconclusive" && next && next.repeats <= input.rule.max_repeats ? next.repeats - input.repeats : 0,
    looks: looks.map(({ look, repeats, levels, p_worse, p_holds, verdict }) => ({
      look,
      repeats,
      levels,
      p_worse,
      p_holds,
      verdict,
    })),
    next,
    scorers: last.figures,
  };
}

/** The figures of each scorer over all repeats that there are, without a decision. */
export function scorerFigures(input: GateInput): ScorerFigures[] {
  checkInput(input);
  const levels = gateConfig.levels.agreed;
  return figuresOf(
    input.scorers.map((scorer) => measure(scorer, input)),
    input,
    levels,
  );
}

/** Whether all repeats agreed by a look: it failed what one look of agreeing repeats fails, and repeats that differ since do not undo that. */
function agreedBy(scorers: readonly GateScorer[], input: GateInput): boolean {
  return !scorers.some((scorer) => measure(scorer, input).noisy);
}

/** One look after another, up to the first that fails. */
function takeLooks(input: GateInput): Look[] {
  const { repeats, rule } = input;
  const count = looksBy(repeats, rule.repeats);
  const looks: Look[] = [];
  for (let look = 1; look <= count; look++) {
    const until = Math.min(repeats, repeatsAt(look, rule.repeats));
    const scorers = seenBy(input.scorers, until, look === count);
    if (scorers.length < input.scorers.length) continue; // the items of then are no longer in the dataset
    const found = lookAt(
      { ...input, scorers },
      look,
      until,
      agreedBy(scorers, input) ? agreedAt(look) : levelsAt(look),
    );
    looks.push(found);
    if (found.verdict === "failed") break;
  }
  return looks;
}

function lookAt(input: GateInput, look: number, repeats: number, levels: GateLevels): Look {
  const measured = input.scorers.map((scorer) => measure(scorer, input));
  const figures = figuresOf(measured, input, levels);
  const against = [...mustPass(input.scorers), ...opposing(figures, levels)];
  const lacking = against.length > 0 ? [] : unsettled(figures, input, levels);
  const verdict: GateVerdictWord = against.length > 0 ? "failed" : lacking.length > 0 ? "inconclusive" : "open";
  const reasons = verdict === "failed" ? against : verdict === "inconclusive" ? lacking : holding(figures, input);
  const tests = figures.flatMap(({ score, difference }) => [score, difference ?? []].flat());
  return {
    look,
    repeats,
    levels,
    p_worse: Math.min(...tests.map(({ p_worse }) => p_worse)),
    p_holds: Math.max(...tests.map(({ p_holds }) => p_holds)),
    verdict,
    reasons,
    figures,
    measured,
  };
}

function nextLook(last: number, { rule }: GateInput): GateDecision["next"] {
  const look = last + 1;
  return { look, repeats: repeatsAt(look, rule.repeats), levels: levelsAt(look) };
}

function largest(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : Math.max(...(values as readonly number[]));
}

/** Items that must pass and fail in most repeats, by whichever scorer. */
function mustPass(scorers: readonly GateScorer[]): GateReason[] {
  return scorers.flatMap((scorer) =>
    scorer.items.flatMap((item) => {
      const failed = failedRepeats(item, scorer);
      return item.must_pass === true && 2 * failed > item.candidate.length
        ? [mustPassFailed(scorer, item, failed)]
        : [];
    }),
  );
}

function figuresOf(all: readonly Measured[], { rule }: GateInput, levels: GateLevels): ScorerFigures[] {
  const scoreTests = all.map(({ score, floor }) => testOf(score, floor, floor));
  const differenceTests = all.map(({ difference }) => difference && testOf(difference, 0, -rule.tolerance));
  const scoreWorse = holmAdjusted(scoreTests.map(({ p_worse }) => p_worse));
  const differenceWorse = holmAdjusted(differenceTests.map((test) => test?.p_worse ?? 1));
  return all.map(({ scorer, floor, score, difference, repeats }, index) => {
    const test = differenceTests[index];
    return {
      scorer: scorer.scorer,
      items: scorer.items.length,
      repeats,
      floor,
      score: { ...bounded(score, levels), ...scoreTests[index]!, p_worse: scoreWorse[index]! },
      difference:
        difference && test ? { ...bounded(difference, levels), ...test, p_worse: differenceWorse[index]! } : null,
      failures: failures(scorer),
    };
  });
}

function bounded(at: ClusterMean, levels: GateLevels): BoundedMean {
  const { alpha } = gateConfig;
  return {
    mean: at.mean,
    standard_error: at.standard_error,
    low: oneSidedBound(at, -1, alpha),
    high: oneSidedBound(at, 1, alpha),
    n: at.n,
    smallest_detectable_drop: smallestDetectableDrop(at, levels.fail),
  };
}

/** Asks whether the truth lies below `good`, and whether at or above `allowed`. */
function testOf(at: ClusterMean, good: number, allowed: number): GateTest {
  return { p_worse: boundPValue(at, 1, good), p_holds: boundPValue(at, -1, allowed) };
}
