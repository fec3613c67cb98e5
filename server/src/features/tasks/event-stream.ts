import type { ReadContext, StreamContext } from "../../kernel/context.ts";
import { sequenceOf as sequenceUpTo, tellEvents } from "../../kernel/event-stream.ts";
import { callerOf } from "../../kernel/principal.ts";
import type { TaskEventsPort } from "./ports.ts";
import { isFinal } from "./states.ts";
import { findTask, type TaskRow } from "./store.ts";

/** The largest sequence that an event of a task can have (PostgreSQL's `int`). */
const largest = 2_147_483_647;

/** The sequence after which a client wants to go on: a whole number from 0. Throws `invalid_header` for anything else. */
export const sequenceOf = (lastEventId: string): number => sequenceUpTo(lastEventId, largest);

/** The events of a task as a stream, from above `after` on: ends when the task has ended and all was told, which it says, and as every stream does. */
export function streamEvents(
  ctx: Pick<StreamContext, "scope" | "signal" | "allowed">,
  port: Pick<TaskEventsPort, "follow">,
  task: string,
  after: number,
): AsyncIterable<string> {
  return tellEvents(ctx, (signal) => port.follow(ctx.scope, task, after, signal), {
    id: ({ sequence }) => sequence,
    name: ({ type }) => type,
    data: ({ data }) => data,
  });
}

/** The task as it stands when it has ended, or after so many seconds, or when the caller has gone. Throws `overloaded` where too many wait already. */
export async function awaitEnd(
  ctx: ReadContext,
  port: TaskEventsPort,
  task: TaskRow,
  seconds: number,
): Promise<TaskRow> {
  if (seconds === 0 || isFinal(task.status)) return task;
  await port.whenFinal(ctx.scope, task.id, seconds, ctx.signal, callerOf(ctx.principal, ctx.scope));
  return (await findTask(ctx, task.id)) ?? task;
}
