import type { WriteContext } from "../../kernel/context.ts";
import type { Origin, TrustCase } from "../../kernel/trust/index.ts";
import { completeCase, forgetJudgement, recordJudgements } from "../agents/public.ts";
import type { TaskRow } from "./store.ts";

/** What was known of a task's case when its outcome was scored; nothing where it was scored by an earlier rule. */
export function caseOf({ trust }: Pick<TaskRow, "trust">): TrustCase {
  return (JSON.parse(trust) as { readonly case?: TrustCase }).case ?? {};
}

/** Whether a task was run before and tried again: what was said of that run is there already. */
export const triedAgain = ({ attempts_before }: TaskRow): boolean => attempts_before > 0;

/** A failed run is evidence of failure, unless a provider or the service itself failed: that says nothing of the version. Nobody drew it at random, so it counts as volunteered: those that completed unjudged are not seen to have succeeded. */
export async function recordFailure(ctx: WriteContext, row: TaskRow): Promise<void> {
  if (triedAgain(row)) await forgetJudgement(ctx, row);
  if (isOutage(row)) return;
  const { agent, skill, version_id, id } = row;
  await recordJudgements(ctx, [
    { agent, skill, version_id, id, source: "run", origin: "volunteered", outcome: 0, case: {} },
  ]);
}

const outages: ReadonlySet<string> = new Set(["model_failed", "service_failed"]);

/** Whether a task failed by its model's provider, or by a fault of the service. */
function isOutage({ failure }: Pick<TaskRow, "failure">): boolean {
  const { code = "" } = JSON.parse(failure ?? "{}") as { readonly code?: string };
  return code.startsWith("provider_") || outages.has(code);
}

/** That a run completed is no evidence that its outcome is right; what was judged of it before gets to know its case, and of an earlier run it is forgotten. */
export async function recordCompletion(ctx: WriteContext, row: TaskRow, known: TrustCase): Promise<void> {
  if (triedAgain(row)) await forgetJudgement(ctx, row);
  await completeCase(ctx, { agent: row.agent, skill: row.skill, id: row.id, case: known });
}

/** How people judged the outcome of a task that ended, from 0 to 1. */
export interface JudgedOutcome {
  readonly outcome: number;
  /** `random`: the task was drawn for review, whatever it looked like; `volunteered`: somebody chose to judge it. */
  readonly origin: Exclude<Origin, "evaluation">;
}

/** Records a judged outcome as evidence, once per task: a random review stays where somebody volunteers another word. The caller has locked the task. */
export async function recordJudgedOutcome(
  ctx: WriteContext,
  row: TaskRow,
  { outcome, origin }: JudgedOutcome,
): Promise<void> {
  const { agent, skill, version_id, id, finished_at } = row;
  const source = origin === "random" ? "review" : "feedback";
  const observed_at = finished_at?.getTime() ?? ctx.now;
  await recordJudgements(ctx, [
    { agent, skill, version_id, id, source, origin, outcome, case: caseOf(row), observed_at },
  ]);
}
