import type { Compensation } from "./definition.ts";

// What is known of a run, and what is to be done next. All of it is JSON: the journal keeps it as it is.

export const runStatuses = [
  ...(["queued", "running", "waiting", "paused", "compensating", "compensated"] as const),
  ...(["compensation_failed", "completed", "failed", "cancelled"] as const),
] as const;
export type RunStatus = (typeof runStatuses)[number];

export const stepStatuses = [
  ...(["pending", "running", "waiting", "skipped", "completed"] as const),
  ...(["failed", "rejected", "cancelled", "compensated", "outcome_unknown"] as const),
] as const;
export type StepStatus = (typeof stepStatuses)[number];

export interface Failure {
  readonly code: string;
  readonly detail: string;
}

/** Where a step stands. Times are milliseconds since the epoch. */
export interface StepState {
  readonly status: StepStatus;
  /** From 1; 0: it has not begun. */
  readonly attempt: number;
  readonly startedAt?: number;
  /** When it is to be looked at again: the end of a wait, a time limit, the next attempt. */
  readonly wakeAt?: number;
  readonly output?: unknown;
  readonly failure?: Failure;
  readonly trustScore?: number;
  readonly trustLow?: number;
  readonly costUsd?: number;
  /** The how-many-th step of the run that completed: compensation goes in reverse. */
  readonly completedAs?: number;
  /** Its failure does not stop the run. */
  readonly tolerated?: boolean;
  /** Its time limit is over: it was taken back, and its end is awaited. */
  readonly timedOut?: boolean;
  /** How far it is undone. */
  readonly undo?: "running" | "done" | "failed";
  /** Attempts before somebody had the run done again from here: they count for no retry. */
  readonly before?: number;
  /** Members of its input that somebody put in place of what its expressions come to. */
  readonly edited?: Readonly<Record<string, unknown>>;
}

export interface RunState {
  readonly status: RunStatus;
  readonly input: unknown;
  readonly run: Readonly<Record<string, unknown>>;
  readonly event?: unknown;
  readonly startedAt: number;
  readonly steps: ReadonlyMap<string, StepState>;
  /** Attempts that were begun, which `limits.steps` bounds. */
  readonly begun: number;
  /** How many steps have completed. */
  readonly completed: number;
  /** Milliseconds in which no worker lived, since the run began and since each of these steps did: they count for no time limit. */
  readonly lost?: { readonly run: number; readonly steps: Readonly<Record<string, number>> };
  /** What people asked for and has not come to its end. */
  readonly asked?: "pause" | "cancel" | "cancel_and_compensate" | "compensate";
  /** Why it will end otherwise than completed, while steps that run are awaited. */
  readonly ending?: {
    readonly status: "failed" | "cancelled" | "completed";
    readonly failure?: Failure;
    readonly output?: unknown;
    readonly compensate: boolean;
  };
}

/** What happened outside since the run was looked at. */
export type Outcome =
  | {
      readonly kind: "ended";
      readonly step: string;
      readonly attempt: number;
      readonly status: "completed" | "failed" | "rejected" | "cancelled" | "outcome_unknown";
      readonly output?: unknown;
      readonly failure?: Failure;
      readonly trustScore?: number;
      readonly trustLow?: number;
      readonly costUsd?: number;
    }
  | { readonly kind: "event"; readonly step: string; readonly attempt: number; readonly body: unknown }
  | { readonly kind: "undone"; readonly step: string; readonly ok: boolean; readonly failure?: Failure };

/** What an action is called with, its expressions resolved. */
export type Action =
  | {
      readonly kind: "agent";
      readonly agent: string;
      readonly skill: string;
      readonly input: Record<string, unknown>;
      readonly requireApproval: boolean;
    }
  | {
      readonly kind: "tool";
      readonly agent: string;
      readonly tool: string;
      readonly arguments: Record<string, unknown>;
    }
  | {
      readonly kind: "approval";
      readonly title: string;
      readonly context: Record<string, unknown>;
      readonly covered: Readonly<Record<string, Action>>;
    }
  | {
      readonly kind: "workflow";
      readonly workflow: string;
      readonly version: number | null;
      readonly input: Record<string, unknown>;
    }
  | { readonly kind: "loop"; readonly items: readonly unknown[] };

/** What is to be done, in this order, once the new state is stored. Doing one twice must come to the same: its key is run, step and attempt. */
export type Command =
  | { readonly kind: "start"; readonly step: string; readonly attempt: number; readonly action: Action }
  | { readonly kind: "listen"; readonly step: string; readonly attempt: number; readonly since: number }
  | { readonly kind: "cancel"; readonly step: string; readonly attempt: number }
  | { readonly kind: "undo"; readonly step: string; readonly action: Action; readonly of: Compensation };

export interface Advanced {
  readonly state: RunState;
  /** Ids of steps whose state is another one, in the order in which they changed. */
  readonly changed: readonly string[];
  readonly commands: readonly Command[];
  /** When the run is to be looked at again if nothing happens before; null: only when something happens. */
  readonly wakeAt: number | null;
}

const final: ReadonlySet<StepStatus> = new Set([
  "skipped",
  "completed",
  "failed",
  "rejected",
  "cancelled",
  "compensated",
  "outcome_unknown",
]);
const finalRun: ReadonlySet<RunStatus> = new Set([
  "compensated",
  "compensation_failed",
  "completed",
  "failed",
  "cancelled",
]);

export const isOver = ({ status }: Pick<StepState, "status">): boolean => final.has(status);
export const isRunOver = (status: RunStatus): boolean => finalRun.has(status);
/** Whether what needs a step may begin: it completed, was skipped, or failed without stopping the run. */
export const isMet = ({ status, tolerated }: StepState): boolean =>
  status === "completed" || status === "skipped" || tolerated === true;

/** Attempts since the run was last done again from this step, or since its start. */
export const triesOf = ({ attempt, before = 0 }: StepState): number => attempt - before;

/** What outlasts an attempt. */
export const lasting = ({ before, edited }: StepState): Pick<StepState, "before" | "edited"> => ({
  ...(before !== undefined && { before }),
  ...(edited !== undefined && { edited }),
});
