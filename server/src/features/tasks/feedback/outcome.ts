import { compileUserSchema, type Validator } from "@aos/json-schema";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Origin, TrustCase } from "../../../kernel/trust/index.ts";
import { completeCase, forgetJudgement, recordJudgements } from "../../agents/public.ts";
import { rateQuestions } from "../../knowledge/public.ts";
import { pinnedSkill } from "../dispatch/deciders.ts";
import type { FeedbackBody } from "../schemas.ts";
import { taskJson } from "../tasks/row.ts";
import { findTask, type TaskRow } from "../tasks/store.ts";
import { countsForTrust, outcomeOfFeedback, teaches } from "./rules.ts";
import { type GivenFeedback, insertFeedback } from "./store.ts";

/** `judge` validates a correction of its output; null: its skill describes none, or the version can no longer be read. */
export type JudgedTask = TaskRow & { readonly judge: Validator | null };

export async function loadJudged(ctx: ReadContext | WriteContext, id: string): Promise<JudgedTask | undefined> {
  const row = await findTask(ctx, id);
  if (!row) return undefined;
  const output = (await pinnedSkill(ctx, row))?.definition.output;
  const compiled = output === undefined ? null : compileUserSchema(output);
  return { ...row, judge: compiled?.ok ? compiled.validate : null };
}

/** Records the caller's verdict on a task: as feedback for training, and as a label for trust. `origin`: whether the task was drawn at random. */
export async function recordOutcome(
  ctx: WriteContext,
  task: TaskRow,
  body: FeedbackBody,
  origin: JudgedOutcome["origin"],
): Promise<{ readonly row: GivenFeedback; readonly counts: boolean }> {
  const { accepted = null, rating = null, correction = null, comment = null } = body;
  const { agent, skill, version_id } = task;
  const outcome = outcomeOfFeedback(task, body);
  const row = await insertFeedback(ctx, {
    id: ctx.auditRef,
    task_id: task.id,
    agent,
    skill,
    version_id,
    accepted,
    rating,
    comment,
    outcome,
    trains: teaches(body),
    correction: correction === null ? null : JSON.stringify(correction),
  });
  await rateQuestions(ctx, task.id, outcome >= 0.5);
  // Late volunteers may know what became of it since; a drawn task counts whenever its turn comes.
  const counts = origin === "random" || countsForTrust(task, ctx.now);
  if (counts) await recordJudgedOutcome(ctx, task, { outcome, origin });
  return { row, counts };
}

/** What was known of the case when it was scored; undefined for a task scored by an earlier rule. */
export function caseOf({ trust }: Pick<TaskRow, "trust">): TrustCase {
  return taskJson({ trust }, "trust").case ?? {};
}

/** Whether the task is a retry: its former outcome was recorded already. */
export const triedAgain = ({ attempts_before }: TaskRow): boolean => attempts_before > 0;

/** Records a failed run as evidence, unless a provider or the service failed. It counts as volunteered: nobody drew it at random. */
export async function recordFailure(ctx: WriteContext, row: TaskRow): Promise<void> {
  if (triedAgain(row)) await forgetJudgement(ctx, row);
  if (isOutage(row)) return;
  const { agent, skill, version_id, id } = row;
  await recordJudgements(ctx, [
    { agent, skill, version_id, id, source: "run", origin: "volunteered", outcome: 0, case: {} },
  ]);
}

const outages: ReadonlySet<string> = new Set(["model_failed", "service_failed"]);

/** Whether the model's provider or the service failed. */
function isOutage({ failure }: Pick<TaskRow, "failure">): boolean {
  const code = taskJson({ failure }, "failure")?.code ?? "";
  return code.startsWith("provider_") || outages.has(code);
}

/** Completion is no evidence of a right outcome. Adds the case to an earlier verdict, and drops the verdict on a former run. */
export async function recordCompletion(ctx: WriteContext, row: TaskRow, known: TrustCase): Promise<void> {
  if (triedAgain(row)) await forgetJudgement(ctx, row);
  await completeCase(ctx, { agent: row.agent, skill: row.skill, id: row.id, case: known });
}

/** People's verdict on the outcome of an ended task, from 0 to 1. */
interface JudgedOutcome {
  readonly outcome: number;
  /** `random`: drawn for review; `volunteered`: somebody chose to judge it. */
  readonly origin: Exclude<Origin, "evaluation">;
}

/** Records a verdict as evidence, once per task: a random review outlasts a volunteered one. The caller has locked the task. */
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
