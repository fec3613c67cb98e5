import type { ReadContext, StreamContext } from "../../../kernel/context.ts";
import { sequenceOf as sequenceUpTo, tellEvents } from "../../../kernel/event-stream.ts";
import { callerOf } from "../../../kernel/principal.ts";
import { taskEventsPort } from "../ports.ts";
import { isFinal } from "../tasks/row.ts";
import { findTask, type TaskRow } from "../tasks/store.ts";

/** The largest sequence that an event of a task can have (PostgreSQL's `int`). */
const largest = 2_147_483_647;

/** The sequence to continue after: a whole number from 0. Throws `invalid_header` for anything else. */
export const sequenceOf = (lastEventId: string): number => sequenceUpTo(lastEventId, largest);

/** A task's events after `after` as a stream, which ends when the task has ended. */
export function streamEvents(
  ctx: Pick<StreamContext, "scope" | "signal" | "allowed" | "port">,
  task: string,
  after: number,
): AsyncIterable<string> {
  return tellEvents(ctx, (signal) => ctx.port(taskEventsPort).follow(ctx.scope, task, after, signal), {
    id: ({ sequence }) => sequence,
    name: ({ type }) => type,
    data: ({ data }) => data,
  });
}

/** The task once it has ended, or after so many seconds, or when the caller disconnects. Throws `overloaded` if too many wait. */
export async function awaitEnd(ctx: ReadContext, task: TaskRow, seconds: number): Promise<TaskRow> {
  if (seconds === 0 || isFinal(task.status)) return task;
  await ctx.port(taskEventsPort).whenFinal(ctx.scope, task.id, seconds, ctx.signal, callerOf(ctx.principal, ctx.scope));
  return (await findTask(ctx, task.id)) ?? task;
}
