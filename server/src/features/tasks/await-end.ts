import type { ReadContext } from "../../kernel/context.ts";
import { callerOf } from "../../kernel/principal.ts";
import type { TaskEventsPort } from "./ports.ts";
import { isFinal } from "./states.ts";
import { findTask, type TaskRow } from "./store.ts";

/** The task as it stands when it has ended, or after so many seconds, or when the caller has gone. Throws `overloaded` where too many wait already. */
export async function awaitEnd(
  ctx: ReadContext,
  port: TaskEventsPort,
  task: TaskRow,
  seconds: number,
): Promise<TaskRow> {
  if (seconds === 0 || isFinal(task.status)) return task;
  await port.whenFinal(ctx.scope, task.id, seconds, ctx.signal, callerOf(ctx.principal));
  return (await findTask(ctx, task.id)) ?? task;
}
