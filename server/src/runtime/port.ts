import type { Demand } from "../kernel/budget.ts";
import type { ChatTurn, Tell, Telling, Told } from "../kernel/chat-turn.ts";
import type { Effect } from "../kernel/effect.ts";
import type { HandoffCall, HandoffFile } from "../kernel/handoff.ts";
import { workLease } from "../kernel/lease.ts";
import type { Scope } from "../kernel/principal.ts";
import type { ModelSpec, SkillModel, ToolSpec } from "./specs.ts";

export type { ModelSpec, SkillModel, ToolSpec } from "./specs.ts";

// What the runtime needs to know and do about tasks. The tasks slice builds it.

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
  readonly effect: "read" | "write";
  /** The input field that holds a record tool's id, which is the name of its one argument too, the likeliest first; other tools have none. */
  readonly idFields: readonly string[];
  /** What one call costs, in US dollars. */
  readonly costUsd: number;
  /** Whether a call whose outcome is unknown may be made again: it only reads, or its receiver knows a repeated one by its key. */
  readonly repeatable: boolean;
  readonly spec: ToolSpec;
}

/** What the model receives besides the input. */
export interface Briefing {
  readonly agent: string | null;
  readonly skill: string | null;
  readonly description: string | null;
  /** JSON Schemas of the skill's input and output; no output schema: null. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly examples: readonly {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: Readonly<Record<string, unknown>>;
  }[];
}

/** Where a run has to end; null: no limit. */
export interface Bounds {
  readonly seconds: number;
  readonly steps: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

/** A skill of a version and an input: all that the loop needs, in a task or outside of one. */
export interface SkillRun {
  readonly agent: string;
  readonly version: number;
  readonly versionId: string;
  readonly skill: string;
  /** The workflow whose step it carries out; null or left out: none's. */
  readonly workflow?: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly model: ModelSpec;
  readonly briefing: Briefing;
  readonly tools: readonly RunTool[];
  readonly limits: Bounds;
  /** It calls one tool with its input, or nothing at all; undefined: its model runs it. */
  readonly direct?: { readonly tool: string } | "nothing";
  /** When it hands its conversation to people; undefined: never. */
  readonly handoff?: HandoffFile;
  /** The conversation in which it answers; undefined: it works on its input. */
  readonly chat?: ChatTurn;
  /** Steps of the run that its limit does not count, because it was tried again after them. Default: none. */
  readonly stepsBefore?: number;
  /** What the run has used when this part of it begins. */
  readonly spent: { readonly tokens: number; readonly costUsd: number; readonly ms: number };
  /** An earlier worker began this run and may have left a journal. */
  readonly resumed: boolean;
  /** Names the run. */
  readonly runId: string;
  /** A write of an attempt before of which nobody knows what became of it: people are asked about it first. Default: none. */
  readonly doubt?: StepSpec & { readonly effect: string; readonly failure: Failure | null };
}

/** All that a worker needs to run a task that it has claimed. */
export interface TaskRun extends SkillRun {
  readonly attempt: number;
  /** How long it was in the queue before it was claimed, in milliseconds. */
  readonly waitedMs?: number;
}

export type Claim =
  | { readonly claimed: true; readonly run: TaskRun }
  | { readonly claimed: false; readonly reason: string };

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
  readonly failure: Failure | null;
  /** The arguments with which the call was made, because people put them in place of those that were asked for. */
  readonly edited?: Readonly<Record<string, unknown>> | null;
}

/** How a step ended; `tokens`: of a turn that holds nothing of budgets. What others used is charged when they are settled. */
export type StepEnd =
  | { readonly state: "finished"; readonly output: unknown; readonly tokens?: number }
  | { readonly state: "failed"; readonly failure: Failure; readonly tokens?: number }
  | { readonly state: "unknown"; readonly failure: Failure };

/** How a step ended, as the loop may see it. */
export interface StepEnded {
  readonly output?: unknown;
  readonly failure?: Failure;
}

/** A step that policy, budget, a stop or pause keeps from being made, or that nobody may make, since the lease is lost. */
export type Kept =
  | { readonly kind: "refused"; readonly failure: Failure }
  | { readonly kind: "held"; readonly hold: Exclude<RunHold, "go">; readonly failure: Failure }
  /** A budget has room that calls under way hold: the step may be made so many seconds later. */
  | { readonly kind: "later"; readonly seconds: number; readonly failure: Failure }
  | { readonly kind: "lost" };

/**
 * A model may be asked: the step stands in the journal as begun, and what it may use of budgets is held until it is settled. `shown` answers a prompt as the
 * model may see it, with placeholders for what policies keep from it; null: the lease is lost. `settle` writes down what it cost, once.
 */
export interface BegunTurn {
  readonly kind: "begun";
  readonly id: string;
  shown<T>(prompt: T): Promise<T | null>;
  settle(used: Demand): Promise<void>;
}
export type ModelBegun = BegunTurn | Kept;

/** A call of a tool. `again`: its step was begun before, and how that ended is not known. */
export interface ToolCall {
  readonly number: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly again?: boolean;
  /** Something that the model has read could steer it: a write then needs approval, unless a policy says otherwise. */
  readonly tainted?: boolean;
}

/**
 * What a governed call of a tool came to. `output`, `failed`: the service made it itself, and the journal says how it ended. `begun`: the step
 * stands in the journal as begun; whoever asked makes the call, with `arguments` as they really are, and says how it ended. `waits`: people are asked, and
 * the lease is given up. `sent_back`: they want it otherwise. `costUsd` is charged whatever the tool answers.
 */
export type ToolResult =
  | (Edited & {
      readonly kind: "output";
      readonly id: string;
      readonly output: unknown;
      readonly verdict: string;
      readonly costUsd: number;
    })
  | (Edited & {
      readonly kind: "failed";
      readonly id: string;
      readonly failure: Failure;
      readonly verdict: string;
      readonly costUsd: number;
    })
  | BegunCall
  | CallForCaller
  | { readonly kind: "waits"; readonly approval: string }
  | { readonly kind: "sent_back"; readonly failure: Failure }
  | Kept;

/** A call that the caller of the conversation may make. It stands in the journal as begun, and is handed out with the others of its turn. */
export interface CallForCaller extends Edited {
  readonly kind: "for_caller";
  readonly id: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What policies let nobody see of its result. */
  readonly redact: { readonly kinds: readonly string[] | "all" } | null;
}

/** A call as it is handed out. */
export interface HandedCall {
  readonly step_id: string;
  readonly number: number;
  readonly tool: string;
  readonly redact: CallForCaller["redact"];
}

/** `edited`: the arguments, as the run may see them, that people put in place of those that were asked for. */
export interface Edited {
  readonly edited?: Readonly<Record<string, unknown>> | null;
}

export interface BegunCall extends Edited {
  readonly kind: "begun";
  readonly id: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What its connection adds to the request; undefined: it names none. */
  readonly credentials?: unknown;
  readonly costUsd: number;
  /** Null: it only reads. */
  readonly effect: Effect | null;
}

/** What stops and pauses say of a run: it may go on, goes back to the queue before its next step, or ends at once. */
export type RunHold = "go" | "give_back" | "stop";

/** What a run is about to use, as far as stops can name it. */
export interface Using {
  readonly tool: string | null;
  readonly model: string | null;
}

/** What a run has to know before it can go on. */
export interface Question {
  readonly text: string;
  /** The answers that it takes; null: any. */
  readonly options: readonly string[] | null;
}

/** What a model said of its own answer, numbers from 0 to 1: see `TrustCase`. */
export interface AnswerFeatures {
  /** That all of it is right; left out where nothing was learnt or reported. */
  readonly probability?: number;
  readonly probability_source?: "trained" | "told";
  /** How much of it stands on nothing that was found. */
  readonly ungrounded?: number;
  /** How unlike the examples the case is: near 0 like all of them, 1 like none. */
  readonly novelty?: number;
}

/** What a model held possible for fields of its answer, by JSON Pointer, the likeliest first; `none`: that it is none of them. */
export type Predictions = Readonly<
  Record<
    string,
    readonly { readonly value: string | number | boolean | null; readonly probability: number; readonly none?: true }[]
  >
>;

/** `done`: a team has the conversation; `text` is for the user. `refused`: policies or the conversation's state do not allow it. */
export type HandedOver =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "refused"; readonly failure: Failure }
  | { readonly kind: "lost" };

/** What people wrote about the task for the agent, as the run may see it. */
export interface Comment {
  /** `cmt_…` */
  readonly id: string;
  readonly text: string;
  /** RFC 3339. */
  readonly at: string;
}

/** What the loop does outside of itself, bound to one run. False, null or `lost`: another worker, or nobody, holds the lease. */
export interface LoopPort {
  /** Whether the run may go on with this, from memory. */
  holdOf(using: Using): RunHold;
  journal(): Promise<readonly JournalStep[] | null>;
  /** Asks whether the model may be asked, holds what it may use, and writes that the step begins. */
  beginModel(step: StepSpec, demand: Demand): Promise<ModelBegun>;
  callTool(call: ToolCall): Promise<ToolResult>;
  /** Writes how a step ended, and answers its output or failure as the loop may see it. */
  endStep(id: string, end: StepEnd): Promise<StepEnded | null>;
  /** Writes a step down that was not begun, since nothing could come of it. */
  refuseStep(step: StepSpec, failure: Failure): Promise<boolean>;
  /** Puts a question to people and gives the lease up. */
  ask(step: StepSpec, question: Question): Promise<boolean>;
  /** Hands calls out to the caller of the conversation, and gives the lease up. */
  handCalls(calls: readonly HandedCall[]): Promise<boolean>;
  /** Asks people whether a step took effect, and gives the lease up. */
  askOutcome(step: JournalStep): Promise<boolean>;
  /** Asks them so of a write that an attempt before made, as a step of this run. */
  askDoubt(doubt: NonNullable<SkillRun["doubt"]>): Promise<boolean>;
  /** Hands the conversation to a team, and writes the step down. */
  handOver(step: StepSpec, call: HandoffCall): Promise<HandedOver>;
  /** What people have written about the task for the agent so far, the oldest first; undefined: nobody can. */
  comments?(): Promise<readonly Comment[] | null>;
  /** Tells what is written in a conversation, while it is; undefined: nobody follows. */
  readonly tell?: Tell;
}

/** Every write holds only while the lease does: false, null or `lost` where another worker, or nobody, holds it. */
export interface TaskRunnerPort {
  /** Whether a wake-up of this priority is worth a call: the task waits for a worker, and was not put back since. */
  isReady(scope: Scope, task: string, priority?: number): Promise<boolean>;
  /** W3C `traceparent` of the call that dispatched the task; null: it was not traced. */
  causeOf(lease: Lease): Promise<string | null>;
  /** Whether the run may go on, from memory; with a tool or model that it uses or is about to use, whether it may with that. */
  holdOf(lease: Lease, run: SkillRun, using: Using): RunHold;
  /** Claims the task for `lease.owner`. What gate, policies or people say against it is settled inside; only faults are thrown. */
  start(lease: Lease): Promise<Claim>;
  /** Digest of what the version's skill has learnt; null: nothing. */
  modelDigest(scope: Scope, versionId: string, skill: string): Promise<string | null>;
  /** What the version's skill has learnt; null: nothing. */
  skillModel(scope: Scope, versionId: string, skill: string): Promise<SkillModel | null>;
  beginModel(lease: Lease, step: StepSpec, demand: Demand): Promise<ModelBegun>;
  callTool(lease: Lease, call: ToolCall): Promise<ToolResult>;
  complete(
    lease: Lease,
    output: Readonly<Record<string, unknown>>,
    features?: AnswerFeatures,
    predictions?: Predictions | null,
  ): Promise<boolean>;
  fail(lease: Lease, failure: Failure): Promise<boolean>;
  block(lease: Lease, failure: Failure): Promise<boolean>;
  /** Ends the task by the stop or pause that stands against it; `aborted`: while it used a tool or model. False where none does any more. */
  endHeld(lease: Lease, at: Using & { readonly aborted: boolean }): Promise<boolean>;
  /** Puts the task back for another worker, which is woken at once, or so many seconds later; not counted as an attempt. */
  giveBack(lease: Lease, seconds?: number): Promise<boolean>;
  journal(lease: Lease): Promise<readonly JournalStep[] | null>;
  endStep(lease: Lease, id: string, end: StepEnd): Promise<StepEnded | null>;
  refuseStep(lease: Lease, step: StepSpec, failure: Failure): Promise<boolean>;
  ask(lease: Lease, step: StepSpec, question: Question): Promise<boolean>;
  handCalls(lease: Lease, calls: readonly HandedCall[]): Promise<boolean>;
  askOutcome(lease: Lease, step: JournalStep): Promise<boolean>;
  askDoubt(lease: Lease, doubt: NonNullable<SkillRun["doubt"]>): Promise<boolean>;
  handOver(lease: Lease, step: StepSpec, call: HandoffCall): Promise<HandedOver>;
  comments(lease: Lease): Promise<readonly Comment[] | null>;
  tell(lease: Lease, told: readonly Told[]): Promise<Telling>;
  /** Which of these leases still hold; with `renew` they are prolonged. Answers their owners. */
  held(leases: readonly Lease[], renew: boolean): Promise<ReadonlySet<string>>;
}

/** The times of a lease, in milliseconds: how long it lasts, how often it is prolonged, and how often it is looked at, so that a cancelled task stops soon. */
export const leaseTimes = { lasts: workLease.seconds * 1000, renewEvery: workLease.renewMs, checkEvery: 500 } as const;
