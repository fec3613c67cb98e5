import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleComment, exampleTask } from "../../example.ts";
import { TaskComment, TaskId } from "../../schemas.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, type TaskRow } from "../../tasks/store.ts";
import { commentView, listComments as readPage } from "../store.ts";

export const listComments = defineList({
  id: "tasks.listComments",
  path: "/v1/tasks/{task}/comments",
  summary: "List the comments on a task",
  description: "The oldest first, with when the agent read each of those that are for it.",
  params: Type.Object({ task: TaskId }),
  item: TaskComment,
  example: { params: { task: exampleTask.task_id }, item: exampleComment },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  sort: "comment_id",
  read: (ctx, _filter, page, { id }) => readPage(ctx, id, page),
  position: ({ id }) => id,
  view: (row) => commentView(row),
});
