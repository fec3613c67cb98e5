import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { resultNotIntact } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { awaitEnd } from "../../events/stream.ts";
import { exampleResult } from "../../example.ts";
import { TaskId, TaskResult } from "../../schemas.ts";
import { holdOfTask } from "../held-by.ts";
import { intact } from "../result.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, type TaskRow } from "../store.ts";
import { resultView } from "../view.ts";

const Query = Type.Object(
  {
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: "Seconds to wait for the end; comes before what `Prefer: wait=n` says.",
      }),
    ),
  },
  closed,
);

export const readTaskResult = defineRead({
  id: "tasks.readTaskResult",
  path: "/v1/tasks/{task}/result",
  listed: true,
  waitable: true,
  summary: "Read what came of a task",
  description:
    "Its output, or why there is none. While the task goes on, `final` is false: wait for the end with `wait` or `Prefer: wait=n`, and ask again where it " +
    "did not come in time. A caller that leaves stops nothing.",
  params: Type.Object({ task: TaskId }),
  query: Query,
  output: TaskResult,
  example: { params: { task: exampleResult.task_id }, output: exampleResult },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  errors: [resultNotIntact],
  async handle(ctx, { loaded, query }) {
    const row = intact(ctx, await awaitEnd(ctx, loaded, query.wait ?? ctx.waitSeconds));
    return resultView(row, await holdOfTask(ctx, row));
  },
});
