import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { conflict } from "../../../kernel/problems.ts";
import { taskPausedByPeople, taskResumed } from "../events.ts";
import { runTask } from "./queue.ts";
import { isFinal } from "./row.ts";
import { lockTask, type TaskRow, updateTask } from "./store.ts";
import { eventOf } from "./view.ts";

// A pause is a hold, not a state: `paused_at` of the task. The statements that claim a task, begin a step and complete it ask for it: `runs/guards.ts`, `runs/store.ts` and
// `steps/store.ts`. What has begun ends; cancelling, kill switches, deadlines and votes work as ever.

async function lockOpen(ctx: WriteContext, id: string): Promise<TaskRow> {
  const task = await lockTask(ctx, id);
  if (task && !isFinal(task.status)) return task;
  throw refuse(
    conflict,
    `The task is ${task?.status ?? "gone"}; only one that is not finished can be paused or resumed.`,
  );
}

/** Pauses an open task, or gives its pause another reason. */
export async function pauseTask(ctx: WriteContext, id: string, reason: string | null): Promise<TaskRow> {
  const task = await lockOpen(ctx, id);
  if (task.conversation !== null)
    throw refuse(
      conflict,
      "The task answers in a conversation, where a user waits: cancel it, hand the conversation over, or pause the agent.",
    );
  const paused = { paused_at: task.paused_at ?? new Date(ctx.now), paused_by: ctx.principal.id, pause_reason: reason };
  const row = (await updateTask(ctx, { id, from: [task.status] }, { ...paused, events: 1 })) as TaskRow; // under the row's lock
  const [body, place] = eventOf(row);
  ctx.emit(taskPausedByPeople, { ...body, by: ctx.principal.id }, place);
  return row;
}

/** Lets a paused task go on where it stands, and wakes a worker if it is queued. */
export async function resumeTask(ctx: WriteContext, id: string): Promise<TaskRow> {
  const task = await lockOpen(ctx, id);
  if (task.paused_at === null) throw refuse(conflict, "The task is not paused.");
  const none = { paused_at: null, paused_by: null, pause_reason: null };
  const row = (await updateTask(ctx, { id, from: [task.status] }, { ...none, events: 1 })) as TaskRow;
  const [body, place] = eventOf(row);
  ctx.emit(taskResumed, { ...body, by: ctx.principal.id }, place);
  if (row.status === "queued") ctx.enqueue(runTask(ctx.scope, row.id, row.priority, row.not_before));
  return row;
}
