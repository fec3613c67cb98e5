import { type ArmSums, addArms, type Comparison, compare, noTasks, type Stage } from "./compare.ts";
import { canaryConfig } from "./config.ts";
import { levelOf, nextLookAt, spentOnAbort, spentOnPromotion } from "./spending.ts";

/** What a look sees: outcomes that people judged, and ended tasks with 1 where they did not fail. */
export interface CanaryEvidence {
  readonly quality: readonly Stage[];
  readonly failures: readonly Stage[];
  /** Tasks of the canary that people judged, or that failed where those are more: the clock of looks. */
  readonly judged: number;
}

export type CanaryVerdict = "worse" | "no_worse" | "undecided";

export interface CanaryLook {
  readonly look: number;
  readonly judged: number;
  /** Tasks that people judged, and that ended. */
  readonly arms: Readonly<Record<"canary" | "stable", { readonly judged: number; readonly ended: number }>>;
  readonly levels: {
    readonly abort: { readonly quality: number; readonly failures: number };
    readonly promote: number;
  };
  /** Null where too few tasks were judged on either side. */
  readonly quality: Comparison | null;
  readonly failures: Comparison | null;
  readonly verdict: CanaryVerdict;
  /** Why, with the numbers. */
  readonly text: string;
}

interface Rule {
  readonly tolerance: number;
  readonly most_judged: number;
}

/** The levels of the look at `judged`, after looks at `before`. Weighted Bonferroni over both comparisons: what Holm's procedure asks of the first rejection. */
export function lookLevels(before: readonly number[], judged: number, most: number): CanaryLook["levels"] {
  const { abort, promote } = canaryConfig;
  const looks = [...before, judged];
  const last = (spentAt: (at: number) => number): number => levelOf(looks.map((at) => ({ at, spent: spentAt(at) })));
  return {
    abort: {
      quality: last((at) => abort.quality * spentOnAbort(at)),
      failures: last((at) => abort.failures * spentOnAbort(at)),
    },
    // By the first look at the limit all of it is spent.
    promote: (before.at(-1) ?? 0) >= most ? 0 : last((at) => promote * spentOnPromotion(at, most)),
  };
}

/** Judged tasks at which the next look is due. */
export const dueAt = (before: readonly number[], { most_judged }: Rule): number =>
  nextLookAt(before.at(-1) ?? 0, most_judged);

/** What is remembered of an earlier look. */
type Earlier = Pick<CanaryLook, "judged" | "verdict">;

/**
 * One look at a canary. It is worse where either comparison says so: the accepted share of what people judged, or the share of ended tasks that did not fail. It is no
 * worse where both exclude a drop by the tolerance, which needs no correction (intersection-union; Berger 1982), and stays that until a look finds it worse. What is missing decides nothing.
 */
export function lookAtCanary(evidence: CanaryEvidence, before: readonly Earlier[], rule: Rule): CanaryLook {
  const { judged } = evidence;
  const looked = before.map((look) => look.judged);
  const levels = lookLevels(looked, judged, rule.most_judged);
  const comparison = (stages: readonly Stage[], abort: number): Comparison | null => {
    return compare(stages, { tolerance: rule.tolerance, abort, promote: levels.promote });
  };
  const quality = comparison(evidence.quality, levels.abort.quality);
  const failures = comparison(evidence.failures, levels.abort.failures);
  const qualityWorse = quality !== null && quality.p_worse <= levels.abort.quality;
  const failuresWorse = failures !== null && failures.p_worse <= levels.abort.failures;
  const held = before.some(({ verdict }) => verdict === "no_worse");
  const holds = held || [quality, failures].every((one) => one !== null && one.p_holds <= levels.promote);
  const verdict: CanaryVerdict = qualityWorse || failuresWorse ? "worse" : holds ? "no_worse" : "undecided";
  const arm = (side: keyof Stage) => ({
    judged: total(evidence.quality, side).tasks,
    ended: total(evidence.failures, side).tasks,
  });
  const arms = { canary: arm("canary"), stable: arm("stable") };
  const text = textOf({ qualityWorse, failuresWorse, holds }, evidence, { quality, failures }, rule);
  return { look: before.length + 1, judged, arms, levels, quality, failures, verdict, text };
}

/** All stages of an arm together. */
export const total = (stages: readonly Stage[], side: keyof Stage): ArmSums =>
  stages.map((stage) => stage[side]).reduce(addArms, noTasks);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const points = (difference: number): string => `${Math.abs(100 * difference).toFixed(1)} points`;

function textOf(
  found: { readonly qualityWorse: boolean; readonly failuresWorse: boolean; readonly holds: boolean },
  evidence: CanaryEvidence,
  { quality, failures }: { readonly quality: Comparison | null; readonly failures: Comparison | null },
  { tolerance }: Rule,
): string {
  const shares = (stages: readonly Stage[], what: string, verb: string): string => {
    const [canary, stable] = [total(stages, "canary"), total(stages, "stable")];
    const of = (arm: ArmSums): string => `${percent(arm.sum / arm.weight)} of ${arm.tasks}`;
    return `${of(canary)} ${what} tasks ${verb} on the canary, ${of(stable)} on the live version`;
  };
  const interval = ({ low, high }: Comparison): string =>
    `95 % interval ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} points`;
  if (found.qualityWorse && quality)
    return `The canary is worse by ${points(quality.difference)} (${interval(quality)}): ${shares(evidence.quality, "judged", "were accepted")}.`;
  if (found.failuresWorse && failures)
    return `The canary fails more by ${points(failures.difference)} (${interval(failures)}): ${shares(evidence.failures, "ended", "did not fail")}.`;
  if (!quality) return "Too few tasks were judged by people on both versions to compare them.";
  if (!failures) return "Too few tasks ended on both versions to compare them.";
  const now = shares(evidence.quality, "judged", "were accepted");
  return found.holds
    ? `A drop by ${points(tolerance)} is excluded: ${now}; ${interval(quality)}.`
    : `Neither a drop nor its absence is shown yet: ${now}; ${interval(quality)} of this look alone.`;
}

/** Where a canary is heading if everything goes on as it has so far. */
export interface CanaryOutlook {
  readonly verdict: CanaryVerdict;
  /** Judged tasks of the canary that it will take until then; null: it is decided, or will not be within its limit. */
  readonly needed: number | null;
  /** At how many judged tasks the next look is taken. */
  readonly next_look: number;
}

const grown = (arm: ArmSums, factor: number): ArmSums =>
  Object.fromEntries(Object.entries(arm).map(([name, value]) => [name, value * factor])) as unknown as ArmSums;

/** Takes the looks to come on evidence that grows as it is, up to the one that decides. */
export function outlookOf(evidence: CanaryEvidence, before: readonly Earlier[], rule: Rule): CanaryOutlook {
  const next_look = dueAt(
    before.map(({ judged }) => judged),
    rule,
  );
  const standing = before.at(-1)?.verdict ?? "undecided";
  if (standing !== "undecided") return { verdict: standing, needed: null, next_look };
  const looks = [...before];
  const { judged } = evidence;
  for (let at = Math.max(next_look, judged); judged > 0; ) {
    const of = (stages: readonly Stage[]): Stage[] =>
      stages.map(({ canary, stable }) => ({ canary: grown(canary, at / judged), stable: grown(stable, at / judged) }));
    const then = { quality: of(evidence.quality), failures: of(evidence.failures), judged: at };
    const { verdict } = lookAtCanary(then, looks, rule);
    looks.push({ judged: at, verdict });
    if (verdict !== "undecided") return { verdict, needed: Math.max(0, at - judged), next_look };
    if (at >= rule.most_judged) break;
    at = dueAt(
      looks.map((look) => look.judged),
      rule,
    );
  }
  return { verdict: "undecided", needed: null, next_look };
}
