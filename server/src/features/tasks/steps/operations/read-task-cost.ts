import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleCost } from "../../example.ts";
import { TaskCost, TaskId } from "../../schemas.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, type TaskRow } from "../../tasks/store.ts";
import { costOfTask } from "../cost-store.ts";

export const readTaskCost = defineRead({
  id: "tasks.readTaskCost",
  path: "/v1/tasks/{task}/cost",
  summary: "Read what a task cost, by step, model and tool",
  description:
    "Over all attempts. The sums are those of the ledger that budgets are kept by, so they add up to the task's `cost_usd` to the millionth of a dollar.",
  params: Type.Object({ task: TaskId }),
  output: TaskCost,
  example: { params: { task: exampleCost.task_id }, output: exampleCost },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  handle: (ctx, { loaded }) => costOfTask(ctx, loaded),
});
