import type { Scope } from "../kernel/principal.ts";

// What the runtime needs to know and do about tasks. The tasks slice builds it, `app.ts` joins the two.

/** Why a task ends without a result, as callers read it. */
export interface Failure {
  readonly code: string;
  readonly detail: string;
}

/** A task and the claim on it. `owner` names one claim of one worker, so that a claim that was lost never passes for a later one. */
export interface Lease {
  readonly scope: Scope;
  readonly task: string;
  readonly owner: string;
}

/** A tool that a skill may use. */
export interface RunTool {
  readonly name: string;
  /** `record`: looks a record up by its external id. */
  readonly kind: "record";
  readonly effect: "read" | "write";
  /** Fields of the skill's input that can supply a record tool's id, the likeliest first. */
  readonly idFields: readonly string[];
  /** What one call costs, in US dollars. */
  readonly costUsd: number;
}

/** All that a worker needs to run a task that it has claimed: the pinned version's skill, and the input. */
export interface TaskRun {
  readonly agent: string;
  readonly version: number;
  readonly versionId: string;
  readonly skill: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  /** An earlier worker began this run and may have left a journal. */
  readonly resumed: boolean;
  readonly tools: readonly RunTool[];
  /** Limits within which the run has to end; null: none. */
  readonly limits: { readonly seconds: number; readonly steps: number; readonly tokens: number | null; readonly costUsd: number | null };
  /** What the task has used when the run begins. */
  readonly spent: { readonly tokens: number; readonly costUsd: number };
}

export type Claim = { readonly claimed: true; readonly run: TaskRun } | { readonly claimed: false; readonly reason: string };

/** What a step does, and what with. */
export interface StepSpec {
  /** Position in the run, from 1; a resumed run counts the same. */
  readonly number: number;
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly input: unknown;
}

/** A step of this run as it stands in the journal; of several tries of one position the latest. */
export interface JournalStep extends StepSpec {
  readonly id: string;
  readonly state: "started" | "finished" | "failed" | "unknown";
  readonly output: unknown;
}

/** How a step ended; `costUsd` what it cost, nothing without it. */
export type StepEnd =
  | { readonly state: "finished"; readonly output: unknown; readonly verdict: string | null; readonly costUsd?: number }
  | { readonly state: "failed"; readonly failure: Failure; readonly verdict: string | null; readonly costUsd?: number }
  | { readonly state: "unknown"; readonly failure: Failure };

/**
 * What a governed call of a tool came to: its output, a refusal by policy or budget, a stop or pause that stands against it, a failure of the tool,
 * or nothing, since the lease is lost. `costUsd` is charged whatever the tool answered.
 */
export type ToolResult =
  | { readonly kind: "output"; readonly output: unknown; readonly verdict: string; readonly costUsd: number }
  | { readonly kind: "refused"; readonly failure: Failure }
  | { readonly kind: "held"; readonly hold: Exclude<RunHold, "go">; readonly failure: Failure }
  | { readonly kind: "failed"; readonly failure: Failure; readonly verdict: string; readonly costUsd: number }
  | { readonly kind: "lost" };

/** What stops and pauses say of a run: it may go on, goes back to the queue before its next step, or ends at once. */
export type RunHold = "go" | "give_back" | "stop";

/** Every write holds only while the lease does: false, null or `lost` where another worker, or nobody, holds it. */
export interface TaskRunnerPort {
  /** Whether a wake-up of this priority is worth a call: the task waits for a worker, and was not put back since. */
  isReady(scope: Scope, task: string, priority?: number): Promise<boolean>;
  /** Whether the run may go on, from memory; with a tool that it calls or is about to call, whether it may with that. */
  holdOf(lease: Lease, run: TaskRun, tool: string | null): RunHold;
  /** Claims the task for `lease.owner`. What gate, policies or people say against it is settled inside; only faults are thrown. */
  start(lease: Lease): Promise<Claim>;
  callTool(lease: Lease, call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }): Promise<ToolResult>;
  complete(lease: Lease, output: Readonly<Record<string, unknown>>): Promise<boolean>;
  fail(lease: Lease, failure: Failure): Promise<boolean>;
  block(lease: Lease, failure: Failure): Promise<boolean>;
  /** Ends the task by the stop or pause that stands against it; `aborted`: in the middle of a call of `tool`. False where none does any more. */
  endHeld(lease: Lease, at: { readonly tool: string | null; readonly aborted: boolean }): Promise<boolean>;
  /** Puts the task back for another worker; not counted as an attempt. */
  giveBack(lease: Lease): Promise<boolean>;
  journal(lease: Lease): Promise<readonly JournalStep[]>;
  /** Written durably before the step; answers its id. An earlier try of the same position that never ended is closed as interrupted. */
  beginStep(lease: Lease, step: StepSpec): Promise<string | null>;
  endStep(lease: Lease, id: string, end: StepEnd): Promise<boolean>;
  /** Which of these leases still hold; with `renew` they are prolonged. Answers their owners. */
  held(leases: readonly Lease[], renew: boolean): Promise<ReadonlySet<string>>;
}

/** The times of a lease, in milliseconds: how long it lasts, how often it is prolonged, and how often it is looked at, so that a cancelled task stops soon. */
export const leaseTimes = { lasts: 30_000, renewEvery: 10_000, checkEvery: 500 } as const;
