import { type ArmSums, addArms, type Comparison, canaryConfig, compare, noTasks, type Stage } from "./compare.ts";
import { levelOf, nextLookAt, spentOnAbort, spentOnPromotion } from "./spending.ts";

/** What a look sees: outcomes that people judged, and ended tasks with 1 where they did not fail. */
export interface CanaryEvidence {
  readonly quality: readonly Stage[];
  readonly failures: readonly Stage[];
  /** Tasks of the canary that people judged, or that failed where those are more: the clock of looks. */
  readonly judged: number;
}

type CanaryVerdict = "worse" | "no_worse" | "undecided";

export interface CanaryLook {
  readonly look: number;
  readonly judged: number;
  readonly arms: Readonly<Record<"canary" | "stable", { readonly judged: number; readonly ended: number }>>;
  readonly levels: {
    readonly abort: { readonly quality: number; readonly failures: number };
    readonly promote: { readonly quality: number; readonly failures: number };
  };
  readonly quality: Comparison | null;
  readonly failures: Comparison | null;
  readonly verdict: CanaryVerdict;
  readonly text: string;
}

const measures = ["quality", "failures"] as const;
type Measure = (typeof measures)[number];

interface Rule {
  readonly tolerance: number;
  readonly most_judged: number;
}

/**
 * The levels of the look at `judged`, after looks at `before`. To abort: weighted Bonferroni over both comparisons, what Holm's procedure asks of the first rejection.
 * To promote: each comparison spends the whole error at its own pace, since both have to exclude a drop.
 */
export function lookLevels(before: readonly number[], judged: number, most: number): CanaryLook["levels"] {
  const { abort, promote, promote_power } = canaryConfig;
  const looks = [...before, judged];
  const last = (spentAt: (at: number) => number): number => levelOf(looks.map((at) => ({ at, spent: spentAt(at) })));
  // By the first look at the limit all of it is spent.
  const promoting = (power: number): number =>
    (before.at(-1) ?? 0) >= most ? 0 : last((at) => promote * spentOnPromotion(at, most, power));
  return {
    abort: {
      quality: last((at) => abort.quality * spentOnAbort(at)),
      failures: last((at) => abort.failures * spentOnAbort(at)),
    },
    promote: { quality: promoting(promote_power.quality), failures: promoting(promote_power.failures) },
  };
}

/** Judged tasks at which the next look is due. */
export const dueAt = (before: readonly number[], { most_judged }: Rule): number =>
  nextLookAt(before.at(-1) ?? 0, most_judged);

type Earlier = Pick<CanaryLook, "judged" | "verdict">;

/**
 * One look at a canary. It is worse where either comparison says so: the accepted share of what people judged, or the share of ended tasks that did not fail. It is no
 * worse where both exclude a drop by the tolerance, which needs no correction (intersection-union; Berger 1982), and stays that until a look finds it worse. What is missing decides nothing.
 */
export function lookAtCanary(evidence: CanaryEvidence, before: readonly Earlier[], rule: Rule): CanaryLook {
  const { judged } = evidence;
  const looked = before.map((look) => look.judged);
  const levels = lookLevels(looked, judged, rule.most_judged);
  const comparison = (of: Measure): Comparison | null =>
    compare(evidence[of], { tolerance: rule.tolerance, abort: levels.abort[of], promote: levels.promote[of] });
  const compared = { quality: comparison("quality"), failures: comparison("failures") };
  const worse = measures.find((of) => (compared[of]?.p_worse ?? 1) <= levels.abort[of]);
  const held = before.some(({ verdict }) => verdict === "no_worse");
  const obstacles = held ? [] : measures.filter((of) => !((compared[of]?.p_holds ?? 1) <= levels.promote[of]));
  const verdict: CanaryVerdict = worse ? "worse" : obstacles.length === 0 ? "no_worse" : "undecided";
  const arm = (side: keyof Stage) => ({
    judged: total(evidence.quality, side).tasks,
    ended: total(evidence.failures, side).tasks,
  });
  const arms = { canary: arm("canary"), stable: arm("stable") };
  const text = textOf({ worse, obstacles }, { evidence, compared, rule, levels });
  return { look: before.length + 1, judged, arms, levels, ...compared, verdict, text };
}

export const total = (stages: readonly Stage[], side: keyof Stage): ArmSums =>
  stages.map((stage) => stage[side]).reduce(addArms, noTasks);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const points = (difference: number): string => `${Math.abs(100 * difference).toFixed(1)} points`;
const interval = ({ low, high }: Comparison): string =>
  `95 % interval ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} points`;

function shares(stages: readonly Stage[], what: string, verb: string): string {
  const of = (arm: ArmSums): string => `${percent(arm.sum / arm.weight)} of ${arm.tasks}`;
  const [canary, stable] = [total(stages, "canary"), total(stages, "stable")];
  return `${of(canary)} ${what} tasks ${verb} on the canary, ${of(stable)} on the live version`;
}

interface Looked {
  readonly evidence: CanaryEvidence;
  readonly compared: Readonly<Record<Measure, Comparison | null>>;
  readonly rule: Rule;
  readonly levels: CanaryLook["levels"];
}

function textOf(
  { worse, obstacles }: { readonly worse: Measure | undefined; readonly obstacles: readonly Measure[] },
  looked: Looked,
): string {
  const { evidence, rule } = looked;
  const { quality, failures } = looked.compared;
  if (worse === "quality" && quality)
    return `The canary is worse by ${points(quality.difference)} (${interval(quality)}): ${shares(evidence.quality, "judged", "were accepted")}.`;
  if (worse === "failures" && failures)
    return `The canary fails more by ${points(failures.difference)} (${interval(failures)}): ${shares(evidence.failures, "ended", "did not fail")}.`;
  if (!quality) return "Too few tasks were judged by people on both versions to compare them.";
  if (!failures) return "Too few tasks ended on both versions to compare them.";
  const now = shares(evidence.quality, "judged", "were accepted");
  if (obstacles.length === 0) return `A drop by ${points(rule.tolerance)} is excluded: ${now}; ${interval(quality)}.`;
  const accepted = obstacles.includes("quality")
    ? `Neither a drop nor its absence is shown yet: ${now}; ${interval(quality)} of this look alone.`
    : `A drop by ${points(rule.tolerance)} in accepted tasks is excluded: ${now}; ${interval(quality)}.`;
  return obstacles.includes("failures") ? `${accepted} ${failuresText(looked)}` : accepted;
}

function failuresText({ evidence, rule, levels }: Looked): string {
  const of = (side: keyof Stage): { failed: string; ended: number } => {
    const { tasks, weight, sum } = total(evidence.failures, side);
    return { failed: String(Math.round(weight - sum)), ended: tasks };
  };
  const [canary, stable] = [of("canary"), of("stable")];
  const now = `failures: ${canary.failed} of ${canary.ended} ended tasks against ${stable.failed} of ${stable.ended} cannot rule out ${points(rule.tolerance)} more yet`;
  const more = moreEnded(evidence.failures, rule.tolerance, levels);
  if (more === null) return `${now}.`;
  return `${now}; about ${more} more ended ${more === 1 ? "task of the canary is" : "tasks of the canary are"} needed.`;
}

/** Further ended tasks of the canary at which failures at the present rate would exclude a drop at this look's level; null: more than a hundred times as many. */
function moreEnded(stages: readonly Stage[], tolerance: number, levels: CanaryLook["levels"]): number | null {
  const { tasks } = total(stages, "canary");
  const excludes = (more: number): boolean => {
    const then = compare(grownStages(stages, (tasks + more) / tasks), {
      tolerance,
      abort: levels.abort.failures,
      promote: levels.promote.failures,
    });
    return then !== null && then.p_holds <= levels.promote.failures;
  };
  let [few, enough] = [0, 100 * tasks];
  if (!excludes(enough)) return null;
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (excludes(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}

const grown = (arm: ArmSums, factor: number): ArmSums =>
  Object.fromEntries(Object.entries(arm).map(([name, value]) => [name, value * factor])) as unknown as ArmSums;
const grownStages = (stages: readonly Stage[], factor: number): Stage[] =>
  stages.map(({ canary, stable }) => ({ canary: grown(canary, factor), stable: grown(stable, factor) }));

/** Where a canary is heading if its evidence keeps growing at the present rates. */
export interface CanaryOutlook {
  readonly verdict: CanaryVerdict;
  /** Judged tasks until the decision; null if it is decided, or will not be within its limit. */
  readonly needed: number | null;
  /** In judged tasks. */
  readonly next_look: number;
}

/** Takes the coming looks on evidence that grows at its present rates, up to the one that decides. */
export function outlookOf(evidence: CanaryEvidence, before: readonly Earlier[], rule: Rule): CanaryOutlook {
  const next_look = dueAt(
    before.map(({ judged }) => judged),
    rule,
  );
  const latest = before.at(-1)?.verdict ?? "undecided";
  if (latest !== "undecided") return { verdict: latest, needed: null, next_look };
  const looks = [...before];
  const { judged } = evidence;
  for (let at = Math.max(next_look, judged); judged > 0; ) {
    const of = (stages: readonly Stage[]): Stage[] => grownStages(stages, at / judged);
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
