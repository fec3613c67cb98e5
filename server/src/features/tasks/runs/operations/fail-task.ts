import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { taskFailed } from "../../events.ts";
import { recordFailure } from "../../feedback/outcome.ts";
import type { Failure } from "../../schemas.ts";
import { findTask } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { auditOfTask, type Ended, endedAs } from "../rules.ts";
import { endRun } from "../store.ts";

export interface FailTask {
  readonly task: string;
  readonly owner: string;
  readonly failure: Failure;
}

export const failTask: InsideOperation<FailTask, Ended> = defineInside({
  id: "tasks.failTask",
  summary: "Fail a task",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { task }: FailTask) => findTask(ctx, task),
  gate: exempt("ends work, starts none"),
  compliance: exempt("ends what policies saw at its start and at each of its actions"),
  audit: ({ params, loaded, output }) => auditOfTask(params.task, loaded, output),
  emits: [taskFailed],
  errors: [conflict],
  async handle(ctx, { params }): Promise<Ended> {
    const row = await endRun(ctx, params.owner, {
      id: params.task,
      to: "failed",
      failure: JSON.stringify(params.failure),
    });
    await recordFailure(ctx, row);
    ctx.emit(taskFailed, ...eventOf(row));
    return endedAs(row);
  },
});
