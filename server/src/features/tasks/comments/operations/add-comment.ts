import { Type } from "typebox";
import type { Decider } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { addRequesters, lockApprovalBeforeTask } from "../../../approvals/requests/public.ts";
import { addDeciders } from "../../dispatch/deciders.ts";
import { taskCommented } from "../../events.ts";
import { exampleComment, exampleTask } from "../../example.ts";
import { CommentBody, TaskComment, TaskId } from "../../schemas.ts";
import { isFinal } from "../../tasks/row.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, lockTask, type TaskRow, updateTask } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { commentView, countComments, insertComment, mostComments, nameOf } from "../store.ts";

export const addComment = defineOperation({
  id: "tasks.addComment",
  method: "POST",
  path: "/v1/tasks/{task}/comments",
  status: 201,
  summary: "Comment on a task",
  description:
    "Adds a note to the task. The agent reads it at its next turn as data, marked as the words of people, never as an order; writes that it asks for afterwards need approval as after any text that it " +
    "read. With `for_agent` false only people read it. It can be added in any state: a task that has ended shows it to its agent when it is tried again. A task has at most 100 comments.",
  params: Type.Object({ task: TaskId }),
  body: CommentBody,
  output: TaskComment,
  example: {
    params: { task: exampleTask.task_id },
    body: { text: "The customer called: they need it before Friday." },
    output: exampleComment,
  },
  permission: "tasks:write",
  load: (ctx, { task }) => findTask(ctx, task),
  validate: (_ctx, { loaded, body }) =>
    loaded.conversation === null || body.for_agent === false
      ? []
      : [
          {
            pointer: "/for_agent",
            code: "not_read",
            detail:
              "must be false: the task answers in a conversation, and its agent reads what is written there; send a message in the conversation instead",
          },
        ],
  gate: exempt("the gate is asked when a worker goes on with the task"),
  decides: "comment",
  compliance: governs("task.comment", (ctx, { loaded, body }: { loaded: TaskRow; body: CommentBody }) => ({
    ...taskRead(ctx, loaded),
    version: { number: loaded.version_number, id: loaded.version_id },
    input: { text: body.text },
  })),
  audit: aboutTask,
  emits: [taskCommented],
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const task = await lockWithApproval(ctx, loaded.id);
    if ((await countComments(ctx, task.id)) >= mostComments)
      throw refuse(conflict, `The task has ${mostComments} comments, which is the most that one can have.`);
    const { row, deciders } = await insertComment(ctx, task.id, body);
    if (deciders.length > 0) await decideBy(ctx, task, deciders);
    const commented = (await updateTask(ctx, { id: task.id, from: [task.status] }, { events: 1 })) as TaskRow;
    const [event, place] = eventOf(commented);
    ctx.emit(taskCommented, { ...event, comment_id: row.id, author: row.author, for_agent: row.for_agent }, place);
    return commentView({ ...row, name: await nameOf(ctx, row.author) });
  },
});

/** Locks the task, its approval first, as everybody locks. */
async function lockWithApproval(ctx: WriteContext, id: string): Promise<TaskRow> {
  const asked = (await findTask(ctx, id))?.approval_id ?? null;
  if (asked !== null) await lockApprovalBeforeTask(ctx, asked);
  const task = await lockTask(ctx, id);
  if (!task) throw refuse(conflict, "The task was just deleted.");
  if (task.approval_id !== asked)
    throw refuse(conflict, "People were just asked about the task again; send the comment again.");
  return task;
}

/** Whoever decides what the agent reads is no second person to the task that waits, nor to another attempt at it. */
async function decideBy(ctx: WriteContext, task: TaskRow, deciders: readonly Decider[]): Promise<void> {
  const ofTask = task.call_approval ? task.run_approval_id : task.approval_id;
  if (ofTask !== null) await addRequesters(ctx, ofTask, deciders, isFinal(task.status));
  await addDeciders(ctx, task, deciders);
}
