import type { Ending } from "../../kernel/event-stream.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { WorkflowRunEvent } from "./runs-schemas.ts";

/** What happens to runs of workflows, told to those who follow one in this process, whichever process did it. */
export interface RunEventsPort {
  /**
   * What changed of a run above the sequence `after`, in order. Ends with `over` when the run is over and all was told, and with nothing when `signal` is aborted or
   * the process drains. Throws `overloaded` where too many follow already.
   */
  follow(scope: Scope, run: string, after: number, signal: AbortSignal): AsyncIterable<WorkflowRunEvent, Ending>;
  /** Ends everything that follows. */
  stop(): void;
}
