import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleTaskTrust } from "../../example.ts";
import { TaskId, TaskTrust } from "../../schemas.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, type TaskRow } from "../store.ts";
import { trustOfTask } from "../trust-parts.ts";

export const readTaskTrust = defineRead({
  id: "tasks.readTaskTrust",
  path: "/v1/tasks/{task}/trust",
  summary: "Read how a task's trust score was formed",
  description:
    "What each part added to the score and what the score would be without it, what was known of the case, what the skill's tasks start with now, and how " +
    "people judged this one.",
  params: Type.Object({ task: TaskId }),
  output: TaskTrust,
  example: { params: { task: exampleTaskTrust.task_id }, output: exampleTaskTrust },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  handle: (ctx, { loaded }) => trustOfTask(ctx, loaded),
});
