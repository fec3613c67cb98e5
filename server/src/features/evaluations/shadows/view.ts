import { betaQuantile } from "@aos/statistics";
import { storedJson } from "../../../kernel/stored-json.ts";
import { budgetOf } from "../../agents/public.ts";
import type { ShadowRun, ShadowSummary } from "../schemas.ts";
import type { Comparison } from "./rules.ts";
import type { countShadow, findShadow, ShadowRunRow, ShadowSums } from "./store.ts";

type Found = NonNullable<Awaited<ReturnType<typeof findShadow>>>;

/** The 95 % interval of a share by Jeffreys' prior; null without anything counted. */
function shareOf(count: number, of: number): ShadowSummary["same"] {
  if (of === 0) return { share: null, low: null, high: null };
  const [a, b] = [count + 0.5, of - count + 0.5];
  return {
    share: count / of,
    low: count === 0 ? 0 : betaQuantile(0.025, a, b),
    high: count === of ? 1 : betaQuantile(0.975, a, b),
  };
}

export function summaryView(
  row: Found,
  sums: ShadowSums,
  used: { readonly tasks: number; readonly usd: number },
  counts: Awaited<ReturnType<typeof countShadow>>,
): ShadowSummary {
  const budget = budgetOf(row);
  return {
    deployment_id: row.id,
    agent: row.agent,
    version: row.version_number,
    state: row.state === "shadow" ? "shadow" : "ended",
    reason: row.reason,
    share: row.share ?? 0,
    budget: { cost_usd: budget.cost_usd, used_usd: used.usd, tasks: budget.tasks, used_tasks: used.tasks },
    compared: sums.compared,
    same: shareOf(sums.same, sums.compared),
    up_to_a_write: sums.writes,
    failed: { live: sums.live_failed, shadow: sums.failed },
    cost_usd: { live: sums.live_usd, shadow: sums.usd },
    mean_seconds: { live: sums.live_ms / 1_000, shadow: sums.ms / 1_000 },
    ...counts,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

const shadowJson = storedJson<{
  comparison: Comparison;
  live: NonNullable<ShadowRun["live"]>;
  shadow: NonNullable<ShadowRun["shadow"]>;
}>();

export function shadowRunView(row: ShadowRunRow): ShadowRun {
  const comparison = shadowJson(row, "comparison");
  return {
    shadow_run_id: row.id,
    task_id: row.task_id,
    skill: row.skill,
    state: row.state as ShadowRun["state"],
    reason: row.reason,
    same: row.same,
    up_to: comparison?.up_to ?? null,
    differences: [...(comparison?.differences ?? [])],
    live: shadowJson(row, "live"),
    shadow: shadowJson(row, "shadow"),
    cost_usd: { live: row.live_cost_usd, shadow: row.cost_usd },
    seconds: { live: Number(row.live_ms) / 1_000, shadow: Number(row.ms) / 1_000 },
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
