import { Type } from "typebox";
import type { ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { compileUserSchema, type Validator } from "../../../kernel/json-schema.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { recordJudgedOutcome } from "../evidence.ts";
import { exampleFeedback, exampleTask } from "../example.ts";
import { countsForTrust, feedbackFaults, feedbackView, outcomeOfFeedback, teaches } from "../feedback-model.ts";
import { insertFeedback } from "../feedback-store.ts";
import { pinnedSkill } from "../pinned.ts";
import { FeedbackBody, TaskFeedback, TaskId } from "../schemas.ts";
import { findTask, lockTask, type TaskRow } from "../store.ts";
import { aboutTask, taskRead } from "../task-stages.ts";

/** A task with what judges a correction of its output; null: its skill describes none, or the version can no longer be read. */
type Judged = TaskRow & { readonly judge: Validator | null };

async function loadJudged(ctx: ReadContext, id: string): Promise<Judged | undefined> {
  const row = await findTask(ctx, id);
  if (!row) return undefined;
  const output = (await pinnedSkill(ctx, row))?.definition.output;
  const compiled = output === undefined ? null : compileUserSchema(output);
  return { ...row, judge: compiled?.ok ? compiled.validate : null };
}

export const giveFeedback = defineOperation({
  id: "tasks.giveFeedback",
  method: "POST",
  path: "/v1/tasks/{task}/feedback",
  status: 201,
  listed: true,
  commit: "own",
  summary: "Rate or correct the outcome of a task",
  description:
    "Says whether the outcome of a task that completed or failed was right, and what would have been. It is evidence for the trust score of its skill and, where the right output is known, an example to learn from. The latest word on a task counts.",
  params: Type.Object({ task: TaskId }),
  query: Type.Object({}, { additionalProperties: false }),
  body: FeedbackBody,
  output: TaskFeedback,
  example: {
    params: { task: exampleTask.task_id },
    body: { accepted: false, correction: { qualified: false }, comment: "This company closed last year." },
    output: exampleFeedback,
  },
  permission: "tasks:feedback",
  load: (ctx, { task }) => loadJudged(ctx, task),
  validate: (_ctx, { loaded, body }) => feedbackFaults(loaded, loaded.judge, body),
  gate: exempt("speaks about work that is done, starts none"),
  compliance: governs("task.feedback", (ctx, { loaded }: { loaded: Judged }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  emits: [],
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const task = await lockTask(ctx, loaded.id);
    if (task?.status !== "completed" && task?.status !== "failed") {
      throw refuse(conflict, `The task is ${task?.status ?? "gone"}; only the outcome of one that completed or failed can be judged.`);
    }
    const { accepted = null, rating = null, correction = null, comment = null } = body;
    const { agent, skill, version_id } = task;
    const outcome = outcomeOfFeedback(task, body);
    const row = {
      id: ctx.auditRef, task_id: task.id, agent, skill, version_id, accepted, rating, comment, outcome, trains: teaches(body),
      correction: correction === null ? null : JSON.stringify(correction),
    }; // biome-ignore format: one row
    await insertFeedback(ctx, row);
    const counts = countsForTrust(task, ctx.now);
    if (counts) await recordJudgedOutcome(ctx, task, { outcome, origin: "volunteered" });
    return feedbackView({ ...row, author: ctx.principal.id, created_at: new Date(ctx.now) }, counts);
  },
});
