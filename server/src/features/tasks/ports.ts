import type { Ending } from "../../kernel/event-stream.ts";
import type { Scope } from "../../kernel/principal.ts";

/** An event of one task, as its subscribers get it. */
export interface TaskEvent {
  /** Its place among the task's events: 1, 2, 3 …, without a gap. */
  readonly sequence: number;
  /** `evt_…`. */
  readonly event_id: string;
  readonly type: string;
  /** When it was stored, RFC 3339. */
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What happens to tasks, told to those who wait for it in this process, whichever process did it. */
export interface TaskEventsPort {
  /**
   * The events of a task whose sequence is above `after`, in order and each once. Ends with `over` when the task has ended and all was told, and with nothing when
   * `signal` is aborted or the process drains.
   */
  follow(scope: Scope, task: string, after: number, signal: AbortSignal): AsyncIterable<TaskEvent, Ending>;
  /**
   * Resolves when the task has a final state, after so many seconds, or when `signal` is aborted; at once where this caller waits for as many tasks as one may. Says
   * nothing of which: the caller reads the task anew.
   */
  whenFinal(scope: Scope, task: string, seconds: number, signal: AbortSignal, caller?: string): Promise<void>;
  /** Ends everything that follows or waits. */
  stop(): void;
}
