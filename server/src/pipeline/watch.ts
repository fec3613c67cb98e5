import type { EmittedEvent } from "../kernel/events.ts";
import type { Principal, Scope } from "../kernel/principal.ts";
import type { Call, Verdicts } from "./call.ts";

// What the pipeline tells of calls, for traces, metrics and logs.

/**
 * When each part of a call ended, and the handler began, by `performance.now()`; 0: the call did not get there, or the part does not apply to it. Reading the
 * time costs some tens of nanoseconds.
 */
export class StageTimes {
  readonly began = performance.now();
  permitted = 0;
  read = 0;
  /** When the evaluation gate began: a call may have waited for a transaction before. */
  governs = 0;
  gated = 0;
  complied = 0;
  handles = 0;
  handled = 0;
  /** When it was refused; what follows is the record of that. */
  refused = 0;
}

/** What was known of a call at its end. */
export interface Progress extends Required<Verdicts> {
  readonly auditRef: string;
  readonly principal: Principal;
  /** Null where the caller is not known. */
  readonly scope: Scope | null;
}

/** A call that is over. */
export interface EndedCall {
  readonly operation: string;
  readonly door: "http" | "inside";
  readonly call: Call;
  readonly progress: Progress;
  readonly times: StageTimes;
  readonly status: number;
  /** Of the problem; null: the call ended well. */
  readonly code: string | null;
  /** What the record names, `<type>:<id>`. */
  readonly object: string | null;
  /** The events that its commit stored. */
  readonly events: readonly EmittedEvent[];
}

export interface CallWatch {
  /** Runs a call, in a span of its own where it is not a whole request. */
  run<T>(operation: string, call: Call, work: () => Promise<T>): Promise<T>;
  /** Hears of every call, refused ones too, before its answer leaves. Throws nothing. */
  ended(call: EndedCall): void;
  /** W3C `traceparent` of the call under way; null: it is not traced. */
  traceparent(): string | null;
}
