import { timestamp } from "../../kernel/clock.ts";
import { type CalibrationFit, startCalibrationRule } from "../../kernel/trust/calibration.ts";
import {
  type Calibration,
  type Channel,
  channels,
  createTrustScorer,
  decayEvidence,
  type Evidence,
  noEvidence,
  startTrustConfig,
  type TrustRaise,
  type TrustScore,
  whatWouldRaise,
} from "../../kernel/trust/index.ts";
import { type BinSums, reliabilityFromSums } from "../../kernel/trust/reliability.ts";
import type { Heritage } from "./evidence-facts.ts";
import type { AgentTrust } from "./trust-schemas.ts";
import type { CalibrationRow, DayRow } from "./trust-store.ts";

export const dayMs = 86_400_000;
/** The reliability curve looks back so far, in milliseconds. */
export const reliabilityWindowMs = 90 * dayMs;

const scorer = createTrustScorer(startTrustConfig);

/** A skill of the version that is shown, with what counts for it. */
export interface ScoredSkill {
  readonly skill: string;
  readonly evidence: Evidence;
  readonly heritage: readonly Heritage[];
}

/** Evidence of all together. They were summed at the same time. */
export function pooled(all: readonly Evidence[]): Evidence {
  const sums = { ...noEvidence(0).sums };
  for (const one of all) {
    for (const channel of channels) {
      sums[channel] = { S: sums[channel].S + one.sums[channel].S, F: sums[channel].F + one.sums[channel].F };
    }
  }
  return { as_of: all[0]?.as_of ?? 0, sums };
}

/** The score by evidence alone at `now` (ms since the epoch). */
export function scoreOf(evidence: Evidence, calibration: Calibration, now: number): TrustScore {
  return scorer.score(evidence, {}, now, calibration);
}

const shown = ({ score, low, high }: TrustScore) => ({ score, low, high });

/** How one skill's score comes about. `days` are the version's and its forebears'. */
export function skillView(
  { skill, evidence, heritage }: ScoredSkill,
  days: readonly DayRow[],
  calibration: Calibration,
  now: number,
): AgentTrust["skills"][number] {
  const trust = scoreOf(evidence, calibration, now);
  const own = days.filter((row) => row.skill === skill);
  const items = (of: (row: DayRow) => boolean): number => own.filter(of).reduce((sum, row) => sum + row.items, 0);
  return {
    skill,
    ...shown(trust),
    parts: trust.parts.map((part) => ({ ...part })),
    digest: trust.digest,
    evidence: channels.map((channel) => ({
      channel,
      items: items((row) => row.channel === channel),
      successes: trust.inputs.evidence.sums[channel].S,
      failures: trust.inputs.evidence.sums[channel].F,
      ...startTrustConfig.channels[channel],
    })),
    from_versions: heritage.flatMap(({ versionId, number, change, counts }) => {
      const won = items((row) => row.version_id === versionId);
      return won === 0 ? [] : [{ version: number, version_id: versionId, change, counts, items: won }];
    }),
    raise: whatWouldRaise(trust).map(raiseView),
  };
}

const channelWords: Readonly<Record<Channel, string>> = {
  evaluations: "test items passed",
  runs: "runs completed",
  approvals: "outcomes or actions approved by people",
  groundedness: "answers that stand wholly on what was found",
};

function raiseView({ change, score, low, gain }: TrustRaise): AgentTrust["skills"][number]["raise"][number] {
  if (change.kind === "evidence") {
    const detail = `${change.items} more ${channelWords[change.channel]}`;
    return { kind: "evidence", name: change.channel, items: change.items, score, low, gain, detail };
  }
  const detail = `${change.feature.replace("_", " ")} brought to ${change.to} in a task`;
  return { kind: "feature", name: change.feature, items: null, score, low, gain, detail };
}

/** The day of UTC in which a moment lies, as a date. */
export const dateOf = (ms: number): string => timestamp(ms).slice(0, 10);

/** The beginning of the day of UTC in which a moment lies. */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

/** The score over all skills at the end of each day from `from` (the beginning of a day) to that of `now`, which is not over yet. */
export function historyOf(
  skills: readonly ScoredSkill[],
  days: readonly DayRow[],
  calibration: Calibration,
  { from, now }: { readonly from: number; readonly now: number },
): AgentTrust["history"] {
  const counts = new Map(
    skills.flatMap(({ skill, heritage }) => heritage.map((one) => [`${one.versionId} ${skill}`, one.counts] as const)),
  );
  let evidence = noEvidence(from);
  const history: AgentTrust["history"] = [];
  for (let day = from - dayMs; day <= now; day += dayMs) {
    const won = days.filter((row) => row.day === dateOf(day));
    evidence = addDay(decayEvidence(evidence, day + dayMs, startTrustConfig), won, counts);
    if (day < from) continue;
    const items = won.reduce((sum, row) => sum + (counts.has(`${row.version_id} ${row.skill}`) ? row.items : 0), 0);
    const trust = scoreOf(evidence, calibration, day + dayMs);
    history.push({ date: dateOf(day), ...shown(trust), items });
  }
  return history;
}

function addDay(evidence: Evidence, won: readonly DayRow[], counts: ReadonlyMap<string, number>): Evidence {
  const sums = { ...evidence.sums };
  for (const { version_id, skill, channel, S, F } of won) {
    const factor = counts.get(`${version_id} ${skill}`) ?? 0;
    sums[channel] = { S: sums[channel].S + factor * Math.max(0, S), F: sums[channel].F + factor * Math.max(0, F) };
  }
  return { as_of: evidence.as_of, sums };
}

/** The curve as it is shown. */
export function reliabilityView(sums: readonly BinSums[]): AgentTrust["reliability"] {
  const { n, ece, brier, bins } = reliabilityFromSums(sums);
  return { n, ece, brier, bins: bins.map((bin) => ({ ...bin })) };
}

/** A calibration as it is shown. `labels`: how many there are by now. */
export function calibrationView(row: CalibrationRow | undefined, labels: number): AgentTrust["calibration"] {
  const labels_needed = startCalibrationRule.least_labels;
  if (!row) {
    const reason =
      labels < labels_needed
        ? `${labels} of the ${labels_needed} labels that a calibration needs are there.`
        : `${labels} labels are there, as many as a calibration needs: it is fitted in a moment.`;
    return { a: 1, b: 0, adopted: false, labels, labels_needed, reason, fitted_at: null };
  }
  const { a, b, adopted, report, fitted_at } = row;
  const { reason } = JSON.parse(report) as CalibrationFit;
  return { a, b, adopted, labels: row.labels, labels_needed, reason, fitted_at: timestamp(fitted_at.getTime()) };
}
