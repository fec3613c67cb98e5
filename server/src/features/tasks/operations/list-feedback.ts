import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleFeedback, exampleTask } from "../example.ts";
import { countsForTrust, feedbackView } from "../feedback-model.ts";
import { listFeedback as readPage } from "../feedback-store.ts";
import { TaskFeedback, TaskId } from "../schemas.ts";
import { findTask, type TaskRow } from "../store.ts";
import { aboutTask, taskRead } from "../task-stages.ts";

export const listFeedback = defineRead({
  id: "tasks.listFeedback",
  path: "/v1/tasks/{task}/feedback",
  summary: "List what was said of a task's outcome",
  description: "Newest first. The newest is what counts.",
  params: Type.Object({ task: TaskId }),
  query: listQuery({}),
  output: pageSchema(TaskFeedback),
  example: {
    params: { task: exampleTask.task_id },
    output: { data: [exampleFeedback], has_more: false, next_cursor: null },
  },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  handle: (ctx, { loaded, query }) =>
    listPage(
      ctx,
      query,
      { task: loaded.id },
      {
        sort: "-feedback_id",
        read: (page) => readPage(ctx, loaded.id, page),
        positionOf: ({ id }) => ({ keys: [], id }),
        item: (row) => feedbackView(row, countsForTrust(loaded, row.created_at.getTime())),
      },
    ),
});
