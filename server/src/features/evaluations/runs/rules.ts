import { comparePairs, type Pair, probabilityWorse } from "@aos/statistics";
import type { JobSpec } from "../../../kernel/append.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { type ActorReading, whyStopped } from "../../admin/public.ts";
import type { StoredItem } from "../datasets/store.ts";
import { byItem, gateScorer, type MeasuredSet } from "./measures.ts";
import type { EvaluationRun, ItemResult, Regression, RunComparison } from "./schemas.ts";
import { type ItemOutcome, type RunRow, type RunScorer, runJson, type UsedRun } from "./store.ts";

/** The row of the run says what is to be done. */
export const runJobName = "evaluation_run";

/** Wakes a worker for a run. */
export function runJob({ organization, environment }: Scope, id: string): JobSpec {
  return { task: runJobName, payload: { organization, environment, run: id }, key: id };
}

/** Null if the requester may still run evaluations. */
export async function whyNotRun(ctx: ActorReading, { actor, agent }: Pick<RunRow, "actor" | "agent">) {
  if (actor === null) return null; // from before actors were stored with what was under way
  const why = await whyStopped(ctx, { actor, agents: [agent] }, "evaluations:write");
  return why === null ? null : { code: "requester_not_permitted", detail: `The run was stopped: ${why}.` };
}

export function runView(row: UsedRun): EvaluationRun {
  return {
    run_id: row.id,
    agent: row.agent,
    skill: row.skill,
    version: row.version_number,
    version_id: row.version_id,
    dataset_id: row.dataset_id,
    dataset: row.dataset_name,
    dataset_version: row.dataset_version,
    scorers: row.scorers.map(({ scorer, version }) => ({ scorer, version })),
    repeats: row.repeats,
    seed: row.seed,
    budget: { items: row.budget_items, usd: row.budget_usd },
    state: row.state,
    progress: { done: row.done, failed: row.failed, total: row.total },
    usage: { steps: row.steps, tokens: row.tokens, cost_usd: row.cost_usd },
    stopped_by: row.stopped_by,
    verdict: row.verdict,
    waits_for: row.waits_for,
    failure: runJson(row, "failure"),
    note: row.note,
    requested_by: row.principal,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export function itemView(
  item: StoredItem,
  outcomes: readonly ItemOutcome[],
  scorers: readonly RunScorer[],
): ItemResult {
  const scores = scorers.flatMap(({ scorer }) => {
    const own = outcomes.flatMap((outcome) => outcome.scores[scorer] ?? []);
    return own.length === 0 ? [] : [[scorer, mean(own)] as const];
  });
  return {
    item: item.name,
    input: { ...item.input },
    expected: { ...item.expected },
    must_pass: item.must_pass,
    scores: Object.fromEntries(scores),
    repeats: outcomes.map(({ repeat, output, failure, scores: own, steps, tokens, costUsd, ms }) => ({
      repeat,
      scores: { ...own },
      output: output && { ...output },
      failure,
      steps,
      tokens,
      cost_usd: costUsd,
      ms,
    })),
  };
}

export interface Compared {
  readonly items: readonly StoredItem[];
  readonly after: readonly ItemOutcome[];
  readonly before: readonly ItemOutcome[];
}

const mostRegressions = 100;

/**
 * The paired comparison of a run with another one, by the scorers of this run on the outputs of both: items are pairs, means over their repeats the
 * values, clusters counted as one (`comparePairs`), each item's own confidence by `probabilityWorse`.
 */
export function compareRuns(run: RunRow, other: RunRow, compared: Compared, tolerance: number): RunComparison {
  const set: MeasuredSet = {
    items: compared.items,
    candidate: byItem(compared.after),
    deployed: byItem(compared.before),
    prefix: "",
  };
  const drops: Drop[] = [];
  const scorers = run.scorers.flatMap((definition) => {
    const { scorer, items } = gateScorer(definition, [set]);
    const pairs: Pair[] = [];
    for (const { item, cluster, candidate, deployed = [] } of items) {
      if (deployed.length === 0) continue;
      const [before, after] = [mean(deployed), mean(candidate)];
      pairs.push({ cluster: cluster === undefined ? `item ${item}` : `cluster ${cluster}`, before, after });
      if (after < before) drops.push({ item, scorer, before, after, deployed, candidate });
    }
    const result = comparePairs(pairs);
    if (!result) return [];
    const { n, before, after, difference, low, high, p_worse } = result;
    const outcome = p_worse < 0.05 ? "worse" : low !== null && low > -tolerance ? "not_worse" : "unclear";
    return [
      {
        scorer,
        outcome: outcome as "worse" | "not_worse" | "unclear",
        items: pairs.length,
        n,
        before,
        after,
        difference,
        low,
        high,
        p_worse,
      },
    ];
  });
  return {
    run_id: other.id,
    version: other.version_number,
    tolerance,
    scorers,
    regressions: surest(drops),
    regressed: new Set(drops.map(({ item }) => item)).size,
  };
}

interface Drop extends Omit<Regression, "confidence"> {
  readonly deployed: readonly number[];
  readonly candidate: readonly number[];
}

/** The largest drops with their confidence, the surest first. */
function surest(drops: readonly Drop[]): Regression[] {
  const size = ({ before, after }: Pick<Regression, "before" | "after">): number => before - after;
  const byName = (a: { item: string }, b: { item: string }): number => (a.item < b.item ? -1 : 1);
  return [...drops]
    .sort((a, b) => size(b) - size(a) || byName(a, b))
    .slice(0, mostRegressions)
    .map(
      ({ deployed, candidate, ...drop }): Regression => ({
        ...drop,
        confidence: probabilityWorse(deployed, candidate),
      }),
    )
    .sort((a, b) => b.confidence - a.confidence || size(b) - size(a) || byName(a, b));
}
