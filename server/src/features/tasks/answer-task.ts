import { decidersOf, storableDeciders, storedDeciders, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type Asked, endedBy } from "./question.ts";
import { runTask } from "./queue.ts";
import { endAskedStep } from "./resume-store.ts";
import { type TaskRow, updateTask } from "./store.ts";

/**
 * Lets a task that waits for input go on with the answer to its question, in the name of who calls, who is accountable for what it does from now on. It is
 * locked.
 */
export async function answerTask(
  ctx: WriteContext,
  { id, deciders }: TaskRow,
  asked: Asked,
  answer: string,
): Promise<TaskRow> {
  await endAskedStep(ctx, id, asked.step_id, endedBy(asked, answer));
  const waiting = { id, from: ["input_required"] } as const;
  const row = (await updateTask(ctx, waiting, {
    status: "queued",
    question: null,
    deciders: storableDeciders(unite(storedDeciders(deciders), decidersOf(ctx, "answered", null))),
  })) as TaskRow; // under the row's lock
  ctx.enqueue(runTask(ctx.scope, row.id, row.priority, row.not_before));
  return row;
}
