import { timestamp } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { normalInterval } from "./drift-intervals.ts";
import { type Change, driftRules, findChanges } from "./drift-model.ts";
import { type DriftMark, driftMeasures, type EvaluationPoint, type NearbyChange } from "./quality-schemas.ts";
import { mayRead } from "./quality-scope.ts";
import { type HappeningRow, listFinishedRuns, listHappenings, listRunScores } from "./quality-store.ts";
import { type RollupRow, rollup } from "./rollup.ts";
import type { FigureWindow } from "./window.ts";
import type { Point } from "./window-schemas.ts";

export type DriftMeasure = (typeof driftMeasures)[number];

const shown = ["accepted_rate", "judged", "success_rate", "tasks", "trust_mean"] as const;
const method =
  "Binary segmentation by a weighted CUSUM over the windows of the series, whose p-values come from 4,000 seeded series of equally many things without a change; drops get four fifths of the level. A change needs 20 things on either side and, of a rate, ten of its rarer outcome.";
const mostNearby = 10;

/** The series of quality, where its level changed, and what happened then. */
export async function qualityDrift(ctx: ReadContext, window: FigureWindow) {
  const { from, to, grain, timeZone, filters } = window;
  const answer = await rollup(ctx, { measures: shown, filters, from, to, grain, timeZone });
  const found = driftMeasures.map((measure) => ({ measure, changes: changesOf(measure, answer.rows) }));
  const isAny = found.some(({ changes }) => changes.length > 0);
  const happenings = isAny ? await happeningsOf(ctx, window) : [];
  const marks = found.flatMap(({ measure, changes }) =>
    changes.map((change) => markOf(measure, change, answer.rows, happenings)),
  );
  const watched = driftMeasures.map((measure) => ({ measure, ...enoughOf(measure, answer.rows) }));
  return {
    ...{ complete: answer.complete, asOf: answer.asOf },
    series: answer.rows.map(pointOf),
    drift: { method, level: driftRules.level, watched, marks: marks.sort((a, b) => (a.at < b.at ? -1 : 1)) },
  };
}

const pointOf = ({ from, to, complete, values }: RollupRow): Point => ({
  ...{ from: timestamp(from), to: timestamp(to), complete },
  values: Object.fromEntries(shown.map((name) => [name, values[name]?.value ?? null])),
});

const kindOf = (measure: DriftMeasure) => (measure === "trust_mean" ? ("mean" as const) : ("rate" as const));

const windowsOf = (measure: DriftMeasure, rows: readonly RollupRow[]) =>
  rows.map(({ values }) => {
    const { value, n } = values[measure];
    return value === null ? { n: 0, sum: 0 } : { n, sum: value * n };
  });

const changesOf = (measure: DriftMeasure, rows: readonly RollupRow[]): Change[] =>
  findChanges(windowsOf(measure, rows), kindOf(measure));

/** Whether there is enough of a series to find anything in it. */
function enoughOf(measure: DriftMeasure, rows: readonly RollupRow[]): { n: number; enough: boolean } {
  const windows = windowsOf(measure, rows).filter(({ n }) => n > 0);
  const n = windows.reduce((all, window) => all + window.n, 0);
  const sum = windows.reduce((all, window) => all + window.sum, 0);
  const isSaid = kindOf(measure) === "mean" || Math.min(sum, n - sum) >= driftRules.leastRare;
  return { n, enough: windows.length >= driftRules.leastWindows && n >= 2 * driftRules.leastOnSide && isSaid };
}

function markOf(
  measure: DriftMeasure,
  { at, before, after, difference, p_value }: Change,
  rows: readonly RollupRow[],
  happenings: readonly HappeningRow[],
): DriftMark {
  const { from, to } = rows[at] as RollupRow;
  const nearFrom = rows[at - 1]?.from ?? from;
  const near = happenings.filter((one) => one.at.getTime() >= nearFrom && one.at.getTime() < to);
  return {
    ...{ measure, at: timestamp(from), before, after, difference, worse: difference.value < 0, p_value },
    nearby: near.slice(0, mostNearby).map(nearbyOf),
  };
}

/** What changed in the window, as far as the caller may read it. Policies are not of one agent: a narrowed key is told of none. */
const happeningsOf = (ctx: ReadContext, window: FigureWindow): Promise<HappeningRow[]> =>
  listHappenings(
    ctx,
    window,
    {
      deployments: mayRead(ctx, "agents:read"),
      policies: mayRead(ctx, "governance:read") && ctx.principal.agents === null,
      datasets: mayRead(ctx, "evaluations:read"),
    },
    200,
  );

function nearbyOf({ kind, at, agent, id, name, did }: HappeningRow): NearbyChange {
  const head = { kind, at: timestamp(at.getTime()), agent };
  if (kind === "deployment") {
    const what =
      did === "rollback" ? `${agent} was rolled back to version ${name}.` : `Version ${name} of ${agent} was deployed.`;
    return { ...head, what, link: `/v1/agents/${agent}/deployments` };
  }
  if (kind === "policy")
    return { ...head, what: `The policy ${name || id} was ${did}.`, link: `/v1/governance/policies/${id}` };
  return {
    ...head,
    what: `The dataset ${name} of ${agent} got version ${did}.`,
    link: `/v1/evaluations/datasets/${id}/items`,
  };
}

/** Runs told of at most. */
const mostRuns = 50;

/** Finished runs of the window with their scores. */
export async function evaluationsOf(ctx: ReadContext, window: FigureWindow): Promise<EvaluationPoint[]> {
  if (!mayRead(ctx, "evaluations:read")) return [];
  const runs = await listFinishedRuns(ctx, window, mostRuns);
  const scores = Map.groupBy(
    await listRunScores(
      ctx,
      runs.map(({ id }) => id),
    ),
    ({ run_id }) => run_id,
  );
  return runs.map((run) => ({
    ...{ run_id: run.id, agent: run.agent, skill: run.skill, version: run.version_number, dataset: run.dataset_name },
    ...{ finished_at: timestamp(run.finished_at.getTime()), verdict: run.verdict },
    scores: (scores.get(run.id) ?? []).map(({ scorer, n, mean, deviation }) => ({
      scorer,
      score: bounded(normalInterval(mean * n, n, deviation)),
    })),
    link: `/v1/evaluations/runs/${run.id}`,
  }));
}

/** Scores lie from 0 to 1. */
const bounded = ({ low, high, ...rest }: ReturnType<typeof normalInterval>) => ({
  ...rest,
  low: Math.max(0, low),
  high: Math.min(1, high),
});
