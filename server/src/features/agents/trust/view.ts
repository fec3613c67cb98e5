import { timestamp } from "../../../kernel/clock.ts";
import {
  type BinSums,
  type CrossFitted,
  fitDigest,
  type LabelCounts,
  reliabilityFromSums,
  scoreTrust,
  startTrustConfig,
  type TrustFit,
  type TrustRaise,
  type TrustScore,
  whatWouldRaise,
} from "../../../kernel/trust/index.ts";
import type { SkillFits } from "./rules.ts";
import type { AgentTrust } from "./schemas.ts";
import type { DayRow } from "./store.ts";

export const dayMs = 86_400_000;

type SkillView = AgentTrust["skills"][number];
type Interval = Pick<TrustScore, "score" | "low" | "high">;

export function skillView(skill: string, fits: SkillFits, now: number): SkillView {
  const { main } = fits;
  const trust = scoreTrust(main, main.typical, now, startTrustConfig);
  const { score, low, high, parts, digest } = trust;
  const labels = sumLabels(fits.fitted);
  const random_share = randomShare(labels);
  const judged_share = Math.max(0, ...fits.fitted.map((fit) => fit.judged_share));
  return {
    skill,
    score,
    low,
    high,
    basis: main.basis,
    parts: parts.filter(({ kind, value }) => kind !== "feature" || value !== 0).map((part) => ({ ...part })),
    case: { ...main.typical },
    digest,
    labels,
    random_share,
    judged_share,
    improvements: whatWouldRaise(main, main.typical, now, startTrustConfig).map(raiseView),
    limits: limitsOf(main, labels, judged_share),
    fits: fits.fitted.map(fitView),
  };
}

const fitView = (fit: TrustFit): SkillView["fits"][number] => ({
  digest: fitDigest(fit),
  ...fit,
  theta: { ...fit.theta },
  covariance: fit.covariance.map((row) => [...row]),
  typical: { ...fit.typical },
  labels: { ...fit.labels },
});

function sumLabels(fits: readonly Pick<TrustFit, "labels">[]): {
  evaluation: number;
  random: number;
  volunteered: number;
} {
  const sum = (of: keyof LabelCounts): number => fits.reduce((total, { labels }) => total + labels[of], 0);
  return { evaluation: sum("evaluation"), random: sum("random"), volunteered: sum("volunteered") };
}

function randomShare({ random, volunteered }: LabelCounts): number | null {
  return random + volunteered === 0 ? null : random / (random + volunteered);
}

const without: Readonly<Record<Extract<TrustRaise["change"], { kind: "feature" }>["feature"], string>> = {
  findings: "cases without findings",
  ungrounded: "answers that rest entirely on what was found",
  novelty: "inputs like the examples",
  injection: "inputs without suspected injection",
};

function raiseView({ change, score, low, gain }: TrustRaise): SkillView["improvements"][number] {
  if (change.kind === "judged") {
    const detail = `${change.items} more tasks drawn at random, judged, and all accepted`;
    return { kind: "judged", name: "judged", items: change.items, score, low, gain, detail };
  }
  return { kind: "feature", name: change.feature, items: null, score, low, gain, detail: without[change.feature] };
}

/** Below so many labels, a score that no probability supports is off by about .07 on average (simulated). */
const few = 100;
/** Below this share of tasks drawn for review a drop of quality shows late (simulated). */
const thinQueue = 0.05;

/** What people should know that the score cannot show. */
export function limitsOf({ basis, live }: TrustFit, labels: LabelCounts, judgedShare: number): string[] {
  const { evaluation, random, volunteered } = labels;
  const limits: string[] = [];
  if (evaluation + random + volunteered === 0)
    return ["Nothing was judged yet: run an evaluation, or judge some tasks."];
  if (!live) {
    limits.push(
      "No live task was judged: if live tasks are harder than the evaluated items, the score is too high and nothing here can show it. Judge tasks that are drawn at random.",
    );
  } else if (random === 0 && judgedShare < 0.9) {
    limits.push(
      "Every judged live task was chosen by somebody: how far such labels differ from the rest is estimated, not known. Judge tasks that are drawn at random.",
    );
  } else if (judgedShare < thinQueue) {
    limits.push(
      "Fewer than 5 % of the tasks are judged: a drop shows late. With 2 %, 15 days after a drop of 15 points the score is still about .12 too high; with 10 %, .08.",
    );
  }
  if (basis === "none" && evaluation + random + volunteered < few) {
    limits.push(
      "The model gives no probability, so all cases share one score. With few labels it is off by about .07.",
    );
  }
  return limits;
}

/** The mean over all skills. */
export function overall(skills: readonly Interval[]): Interval {
  const mean = (of: (one: Interval) => number): number => {
    const value = skills.reduce((sum, one) => sum + of(one), 0) / Math.max(1, skills.length);
    return Math.round(value * 10_000) / 10_000;
  };
  if (skills.length === 0) return ofNothing;
  return { score: mean(({ score }) => score), low: mean(({ low }) => low), high: mean(({ high }) => high) };
}

const ofNothing: Interval = { score: 0.5, low: 0.1958, high: 0.8042 };

export const dateOf = (ms: number): string => timestamp(ms).slice(0, 10);

export const dayOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

interface ShownSkill {
  readonly skill: string;
  /** The first version that is alike to its model, whose days it shares. */
  readonly firstVersion: string;
  readonly trust: Interval;
}

/** End-of-day scores over all skills from `from` (the start of a day); today's is the present one. */
export function historyOf(
  skills: readonly ShownSkill[],
  days: readonly DayRow[],
  { from, now }: { readonly from: number; readonly now: number },
): AgentTrust["history"] {
  const history: AgentTrust["history"] = [];
  for (let day = from; day <= now; day += dayMs) {
    const date = dateOf(day);
    const then = skills.map(({ skill, firstVersion, trust }) => {
      const row = days.findLast((one) => one.skill === skill && one.version_id === firstVersion && one.day <= date);
      const today = day + dayMs > now;
      return { trust: today ? trust : (row ?? ofNothing), labels: row?.labels ?? 0 };
    });
    history.push({
      date,
      ...overall(then.map((one) => one.trust)),
      labels: then.reduce((sum, { labels }) => sum + labels, 0),
    });
  }
  return history;
}

/** So many unchosen labels make a curve of their own. */
const leastUnchosen = 30;

export function reliabilityView(
  fitted: readonly CrossFitted[],
  skills: readonly LabelCounts[],
): AgentTrust["reliability"] {
  const count = (sums: readonly BinSums[]): number => sums.reduce((total, { n }) => total + n, 0);
  const unchosen = fitted.flatMap((one) => one.unchosen);
  const of = count(unchosen) >= leastUnchosen ? "unchosen" : "all";
  const { n, ece, brier, bins } = reliabilityFromSums(of === "unchosen" ? unchosen : fitted.flatMap(({ all }) => all));
  return {
    n,
    of,
    random_share: randomShare(sumLabels(skills.map((labels) => ({ labels })))),
    ece,
    brier,
    bins: bins.map((bin) => ({ ...bin })),
  };
}
