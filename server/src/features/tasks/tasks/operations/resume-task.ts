import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { taskResumed } from "../../events.ts";
import { exampleTask } from "../../example.ts";
import { Task, TaskId } from "../../schemas.ts";
import { shownTask } from "../held-by.ts";
import { resumeTask as work } from "../pauses.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, type TaskRow } from "../store.ts";

export const resumeTask = defineOperation({
  id: "tasks.resumeTask",
  method: "POST",
  path: "/v1/tasks/{task}/resume",
  summary: "Resume a paused task",
  description:
    "Lets a paused task go on where it stands; whoever may pause tasks may resume any. A run takes up its journal: what it finished is not done again.",
  params: Type.Object({ task: TaskId }),
  body: Type.Object({}, closed),
  output: Task,
  example: { params: { task: exampleTask.task_id }, body: {}, output: exampleTask },
  permission: "tasks:write",
  load: (ctx, { task }) => findTask(ctx, task),
  gate: exempt("the gate is asked when a worker goes on with the task"),
  decides: exempt("lets go on what was asked for; gives no content"),
  compliance: governs("task.resume", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  emits: [taskResumed],
  errors: [conflict],
  handle: async (ctx, { loaded }) => shownTask(ctx, await work(ctx, loaded.id)),
});
