import type { TaskEvent, TaskEventsPort } from "./features/tasks/index.ts";

const none: AsyncIterable<TaskEvent> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** A feed that knows of no event and so lets nobody wait: who asks reads the task as it stands. */
export function createTaskEvents(): TaskEventsPort {
  return { follow: () => none, whenFinal: async () => undefined, stop: () => undefined };
}
