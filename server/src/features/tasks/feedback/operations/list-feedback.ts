import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleFeedback, exampleTask } from "../../example.ts";
import { TaskFeedback, TaskId } from "../../schemas.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, type TaskRow } from "../../tasks/store.ts";
import { countsForTrust, feedbackView } from "../rules.ts";
import { listFeedback as readPage } from "../store.ts";

export const listFeedback = defineList({
  id: "tasks.listFeedback",
  path: "/v1/tasks/{task}/feedback",
  summary: "List what was said of a task's outcome",
  description: "Newest first. The newest is what counts.",
  params: Type.Object({ task: TaskId }),
  item: TaskFeedback,
  example: { params: { task: exampleTask.task_id }, item: exampleFeedback },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  sort: "-feedback_id",
  read: (ctx, _filter, page, { id }) => readPage(ctx, id, page),
  position: ({ id }) => id,
  view: (row, _ctx, task) => feedbackView(row, countsForTrust(task, row.created_at.getTime())),
});
