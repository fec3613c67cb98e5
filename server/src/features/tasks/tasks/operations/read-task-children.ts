import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleChildren } from "../../example.ts";
import { TaskChildren, TaskId } from "../../schemas.ts";
import { childrenOf } from "../children-store.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, type TaskRow } from "../store.ts";

export const readTaskChildren = defineRead({
  id: "tasks.readTaskChildren",
  path: "/v1/tasks/{task}/children",
  summary: "Read what came of a task",
  description:
    "The runs of workflows that events of the task started, the tasks of their steps, their sub-workflows, and what came of these tasks in turn, as a tree with state, cost and trust of each. " +
    "At most 500 nodes and 12 levels; `cut` says whether there are more.",
  params: Type.Object({ task: TaskId }),
  output: TaskChildren,
  example: { params: { task: exampleChildren.task_id }, output: exampleChildren },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  handle: (ctx, { loaded }) => childrenOf(ctx, loaded.id),
});
