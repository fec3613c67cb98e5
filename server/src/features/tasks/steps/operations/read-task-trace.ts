import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleTrace } from "../../example.ts";
import { TaskId, TaskTrace } from "../../schemas.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, type TaskRow } from "../../tasks/store.ts";
import { traceOfTask } from "../trace.ts";

export const readTaskTrace = defineRead({
  id: "tasks.readTaskTrace",
  path: "/v1/tasks/{task}/trace",
  summary: "Read a task's trace",
  description:
    "The dispatch, its waits in the queue and for people, and each call of a model and a tool, as spans with the ids and names of OpenTelemetry. It is made of what is " +
    "stored of the task, so it is there without a collector too; of what was said it has nothing but codes.",
  params: Type.Object({ task: TaskId }),
  output: TaskTrace,
  example: { params: { task: exampleTrace.task_id }, output: exampleTrace },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  handle: (ctx, { loaded }) => traceOfTask(ctx, loaded),
});
