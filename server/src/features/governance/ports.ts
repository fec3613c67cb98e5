import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { ApprovalDemand, RedactDemand, RunLimits } from "../../kernel/verdict.ts";
import type { PolicyDefinition, StoredPolicy } from "./facts.ts";

export type { ApprovalParams, RedactParams, StoredPolicy, TagParams } from "./facts.ts";

/** A policy before it is saved: nothing of it is checked. */
export interface StatedPolicy extends Omit<StoredPolicy, "state"> {
  readonly state: "draft" | "shadow" | "active" | "retired";
}

/** One fault of a policy. `line` and `column` count from 1, `offset` from 0 in UTF-16 units; they are set where `pointer` is `/when`. */
export interface StatedFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly line?: number;
  readonly column?: number;
  readonly offset?: number;
}

/** A recorded call, as stored. */
export interface RecordedTexts {
  readonly id: string;
  /** The record. */
  readonly body: string;
  /** What policies saw, as far as the record does not say it. */
  readonly context: string;
  /** Of the task that the context names, for what policies saw of it; null if it names none, or the task is gone. */
  readonly task: { readonly input: string; readonly trust: string; readonly risk: string } | null;
  /** Names of the context (`input`, `trust`, `risk`) that have changed in the task since. */
  readonly changed: readonly string[];
}

/** Two sets of policies, and the calls to evaluate them on. */
export interface ReplayInput {
  readonly before: readonly StoredPolicy[];
  readonly after: readonly StoredPolicy[];
  /** The id of the policy that makes the difference. */
  readonly candidate: string;
  readonly now: number;
  readonly pages: AsyncIterable<readonly RecordedTexts[]>;
}

export interface ReplayChanges {
  readonly would_be_denied: number;
  readonly would_wait: number;
  readonly no_longer_denied: number;
  readonly no_longer_wait: number;
  readonly would_be_redacted: number;
  readonly would_be_limited: number;
}

type ReplayOutcome = "deny" | "require_approval" | "allow";

/** Result of a replay; counts are of calls. */
export interface ReplayFindings extends ReplayChanges {
  readonly calls: number;
  readonly not_replayable: number;
  readonly matched: number;
  readonly failed: number;
  readonly examples: readonly {
    readonly audit_ref: string;
    readonly task_id: string | null;
    readonly agent: string | null;
    readonly before: ReplayOutcome;
    readonly after: ReplayOutcome;
  }[];
  readonly by_agent: readonly (ReplayChanges & { readonly agent: string; readonly calls: number })[];
}

/** A proposed call: what policies would see. */
export interface ProposedCall {
  readonly facts: FactsReader;
  readonly scope: Scope;
  readonly now: number;
  /** The policies of the scope. */
  readonly policies: readonly StoredPolicy[];
  /** The version whose evaluation gate applies; null where the action passes none. */
  readonly version: { readonly agent: string; readonly id: string } | null;
  readonly context: { readonly action: string } & Readonly<Record<string, unknown>>;
}

/** What gate and policies say about a proposed call. */
export interface ProposedVerdict {
  readonly gate: {
    readonly state: "open" | "failed" | "inconclusive" | "expired" | "missing";
    readonly consequence: "allow" | "require_approval" | "deny" | "tag";
    readonly reasons: readonly string[];
  } | null;
  /** Every policy whose scope covers the call. */
  readonly policies: readonly {
    readonly policy: StoredPolicy;
    readonly outcome: "applies" | "does_not_apply" | "error" | "outside_window";
  }[];
  /** By the policies alone. */
  readonly outcome: ReplayOutcome;
  /** Whether no policy can deny the action. */
  readonly neverDenied: boolean;
  /** Whether the action can wait for people. */
  readonly waits: boolean;
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
  readonly limits: RunLimits | null;
  readonly redact: RedactDemand | null;
}

/** Compiles and evaluates policies. */
export interface PolicyPort {
  /** All faults of a policy. Never throws. */
  faults(policy: StatedPolicy): readonly StatedFault[];
  /** The actions that a policy applies to. */
  actionsOf(scope: PolicyDefinition["scope"]): readonly string[];
  /** Every action that a policy can name. */
  actions(): readonly string[];
  isAgentAction(action: string): boolean;
  /** Whether calls of the action carry an input that policies see. */
  carriesInput(action: string): boolean;
  /** Evaluates two sets of policies on recorded calls. */
  replay(input: ReplayInput): Promise<ReplayFindings>;
  check(call: ProposedCall): ProposedVerdict;
}
