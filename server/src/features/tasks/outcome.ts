import { compileUserSchema, type Validator } from "@aos/json-schema";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { type JudgedOutcome, recordJudgedOutcome } from "./evidence.ts";
import { countsForTrust, outcomeOfFeedback, teaches } from "./feedback-model.ts";
import { type GivenFeedback, insertFeedback } from "./feedback-store.ts";
import { pinnedSkill } from "./pinned.ts";
import type { FeedbackBody } from "./schemas.ts";
import { findTask, type TaskRow } from "./store.ts";

/** A task with what judges a correction of its output; null: its skill describes none, or the version can no longer be read. */
export type JudgedTask = TaskRow & { readonly judge: Validator | null };

export async function loadJudged(ctx: ReadContext | WriteContext, id: string): Promise<JudgedTask | undefined> {
  const row = await findTask(ctx, id);
  if (!row) return undefined;
  const output = (await pinnedSkill(ctx, row))?.definition.output;
  const compiled = output === undefined ? null : compileUserSchema(output);
  return { ...row, judge: compiled?.ok ? compiled.validate : null };
}

/** Records what the caller says of a task's outcome: as feedback, which training can learn from, and as a label for the trust score. `origin`: whether chance chose the task. */
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
  // Whoever volunteers late may know what became of it since; a drawn task counts whenever its turn comes.
  const counts = origin === "random" || countsForTrust(task, ctx.now);
  if (counts) await recordJudgedOutcome(ctx, task, { outcome, origin });
  return { row, counts };
}
