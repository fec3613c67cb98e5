import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CostOf, Spent } from "./bounds.ts";
import type { BegunCall, Failure, JournalStep, LoopPort, RunTool, SkillRun } from "./port.ts";
import type { pause } from "./signals.ts";
import type { RunWatch } from "./watch.ts";

/** Where a run is at this moment, for who watches it. */
export interface RunProgress {
  /** The tool that is being called; null: none. */
  tool: string | null;
  /** The model that is being asked; null: none. */
  model: string | null;
}

/**
 * Makes a call that the service does not make itself. `unknown`: it may have taken effect. `data` is what the tool answered; `failed`: it did not do what
 * it was asked to.
 */
export type RemoteOutcome =
  | { readonly kind: "answered"; readonly data: unknown }
  | (Refused & { readonly kind: "failed" })
  | (Refused & { readonly kind: "unknown" });
interface Refused {
  readonly failure: Failure;
  /** How long its receiver asks to wait before it is made again, in milliseconds; null: it did not say. */
  readonly retryAfterMs?: number | null;
}
export type CallRemote = (
  tool: RunTool,
  begun: BegunCall,
  given: { readonly signal: AbortSignal },
) => Promise<RemoteOutcome>;

export interface Running {
  readonly port: LoopPort;
  readonly run: SkillRun;
  readonly model: LanguageModelV4;
  readonly costOf: CostOf;
  /** Where the model's price stands, and as of when. Default: nowhere. */
  readonly price?: string | null;
  readonly callRemote: CallRemote;
  /** Aborted when the task was cancelled, its time is over or the process stops; with the reason. */
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
  /** Takes faults of ours that end a run as `model_failed`. */
  readonly report: (error: unknown) => void;
  readonly watch: RunWatch;
  /** Lets time pass before a call is sent again. Default: as long as it takes. */
  readonly pause?: typeof pause;
  /** Given to models that can repeat an answer, in place of what the version says; undefined: that counts. */
  readonly seed?: number;
}

/** A run under way. */
export interface Loop extends Running {
  /** The position of the latest step. */
  at: number;
  readonly spent: Spent;
  /** What an earlier part of this run left, by position, and the last position of it. */
  readonly earlier: ReadonlyMap<number, JournalStep>;
  readonly last: number;
  /** Comments that the model has read, by their ids. */
  readonly read: Set<string>;
  /** What calls of the run answered. */
  readonly found: unknown[];
  /** Whether the model has read text that could steer it. */
  tainted: boolean;
  /** When its time is over, by `performance.now()`. */
  readonly endsAt: number;
  /** That its answer does not fit was reported to the model, which happens once. */
  repairing: boolean;
  /** Which further answer to the same prompt is asked for, only to see whether it agrees; 0: none. */
  sample: number;
}
