import type { Ending } from "../../kernel/event-stream.ts";
import { definePort } from "../../kernel/port.ts";
import type { Scope } from "../../kernel/principal.ts";

export interface TaskEvent {
  /** Its place among the task's events: 1, 2, 3 …, without a gap. */
  readonly sequence: number;
  readonly event_id: string;
  readonly type: string;
  /** RFC 3339. */
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events of tasks, for those who follow or await one in this process, whichever process wrote them. */
export interface TaskEventsPort {
  /**
   * The events of a task whose sequence is above `after`, in order and each once. Ends with `over` when the task has ended and all was sent, and with nothing when
   * `signal` is aborted or the process drains.
   */
  follow(scope: Scope, task: string, after: number, signal: AbortSignal): AsyncIterable<TaskEvent, Ending>;
  /**
   * Resolves when the task has a final state, after so many seconds, or when `signal` is aborted; at once where this caller waits for as many tasks as one may. Says
   * nothing of which: the caller reads the task again.
   */
  whenFinal(scope: Scope, task: string, seconds: number, signal: AbortSignal, caller?: string): Promise<void>;
  stop(): void;
}
export const taskEventsPort = definePort<TaskEventsPort>("events of tasks");
