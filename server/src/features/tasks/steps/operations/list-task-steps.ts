import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleStep, exampleTask } from "../../example.ts";
import { Step, TaskId } from "../../schemas.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, type TaskRow } from "../../tasks/store.ts";
import { stepView } from "../../tasks/view.ts";
import { isStepIntact, listTaskSteps as readPage } from "../seal.ts";

export const listTaskSteps = defineList({
  id: "tasks.listTaskSteps",
  path: "/v1/tasks/{task}/steps",
  listed: true,
  summary: "List what an agent did in a task",
  description:
    "Every call of a tool and of a model that was begun, of all attempts, oldest first: what it was given, what it answered, what the policies said, what it " +
    "cost. A step whose worker died is repeated, and listed once for each attempt. A step whose output was altered in the database is listed without it, with `result_not_intact` as its failure.",
  params: Type.Object({ task: TaskId }),
  item: Step,
  example: { params: { task: exampleTask.task_id }, item: exampleStep },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  sort: "attempt,number",
  read: (ctx, _filter, page, { id }) => readPage(ctx, id, page),
  position: ({ attempt, number, id }) => ({ keys: [attempt, number], id }),
  view: (row, ctx, task) => stepView(row, isStepIntact(ctx.seals, ctx.scope, task.id, row)),
});
