import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { resultNotIntact } from "../../../../kernel/problems.ts";
import { awaitEnd } from "../../events/stream.ts";
import { exampleTask } from "../../example.ts";
import { Task, TaskId } from "../../schemas.ts";
import { shownTask } from "../held-by.ts";
import { intact } from "../result.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, type TaskRow } from "../store.ts";
import { taskRevision } from "../view.ts";

export const readTask = defineRead({
  id: "tasks.readTask",
  path: "/v1/tasks/{task}",
  listed: true,
  waitable: true,
  summary: "Read a task",
  description:
    "State, pinned version, trust with its parts and interval, risk with its inputs, cost, and the audit reference of the dispatch. With `Prefer: wait=n` " +
    "the answer waits up to n seconds for the task to end.",
  params: Type.Object({ task: TaskId }),
  output: Task,
  example: { params: { task: exampleTask.task_id }, output: exampleTask },
  revision: taskRevision,
  revisionOfPart: true,
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  errors: [resultNotIntact],
  handle: async (ctx, { loaded }) => shownTask(ctx, intact(ctx, await awaitEnd(ctx, loaded, ctx.waitSeconds))),
});
