import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { taskPausedByPeople } from "../../events.ts";
import { exampleTask } from "../../example.ts";
import { Task, TaskId } from "../../schemas.ts";
import { shownTask } from "../held-by.ts";
import { pauseTask as work } from "../pauses.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, type TaskRow } from "../store.ts";

export const pauseTask = defineOperation({
  id: "tasks.pauseTask",
  method: "POST",
  path: "/v1/tasks/{task}/pause",
  summary: "Pause a task",
  description:
    "Holds a task that is not finished at the next safe point: before it starts, or between two steps. A step that has begun ends; then nothing of the task starts, and it does not complete, until somebody resumes it. Its state stays, and `held_by` says who paused it, since when and why. " +
    "People may still decide on its approval and answer its question: what comes of that happens after it is resumed. Cancelling and kill switches work as ever. Its deadline and its approval's go on; the time limit of its run does not. Pausing again changes the reason.",
  params: Type.Object({ task: TaskId }),
  body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 2000 })) }, closed),
  output: Task,
  example: {
    params: { task: exampleTask.task_id },
    body: { reason: "waiting for the new price list" },
    output: exampleTask,
  },
  permission: "tasks:write",
  load: (ctx, { task }) => findTask(ctx, task),
  gate: exempt("stops work"),
  decides: exempt("stops a task; its reason is for people"),
  compliance: governs("task.pause", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  emits: [taskPausedByPeople],
  errors: [conflict],
  handle: async (ctx, { loaded, body }) => shownTask(ctx, await work(ctx, loaded.id, body.reason ?? null)),
});
