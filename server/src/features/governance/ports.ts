import type { CallContext } from "../../kernel/context.ts";
import type { Fault } from "../../kernel/errors.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { PolicyFacts } from "../../kernel/operation.ts";
import { definePort } from "../../kernel/port.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { ApprovalDemand, Governed, RedactDemand, RunLimits } from "../../kernel/verdict.ts";
import type { PolicyDefinition, StoredPolicy } from "./policies/facts.ts";

export type { ApprovalParams, RedactParams, StoredPolicy, TagParams } from "./policies/facts.ts";

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

export interface RecordedTexts {
  readonly id: string;
  readonly body: string;
  readonly context: string;
  /** Of the task that the context names, for what policies saw of it; null if it names none, or the task is gone. */
  readonly task: { readonly input: string; readonly trust: string; readonly risk: string } | null;
  /** Names of the context (`input`, `trust`, `risk`) that have changed in the task since. */
  readonly changed: readonly string[];
}

export interface ReplayInput {
  readonly before: readonly StoredPolicy[];
  readonly after: readonly StoredPolicy[];
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

export interface ProposedCall {
  readonly facts: FactsReader;
  readonly scope: Scope;
  readonly now: number;
  readonly policies: readonly StoredPolicy[];
  /** The version whose evaluation gate applies; null where the action passes none. */
  readonly version: { readonly agent: string; readonly id: string } | null;
  readonly context: { readonly action: string } & Readonly<Record<string, unknown>>;
}

export interface ProposedVerdict {
  readonly gate: {
    readonly state: "open" | "failed" | "inconclusive" | "expired" | "missing";
    readonly consequence: "allow" | "require_approval" | "deny" | "tag";
    readonly reasons: readonly string[];
  } | null;
  readonly policies: readonly {
    readonly policy: StoredPolicy;
    readonly outcome: "applies" | "does_not_apply" | "error" | "outside_window";
  }[];
  readonly outcome: ReplayOutcome;
  readonly neverDenied: boolean;
  readonly waits: boolean;
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
  readonly limits: RunLimits | null;
  readonly redact: RedactDemand | null;
}

export interface PolicyPort {
  faults(policy: StatedPolicy): readonly StatedFault[];
  actionsOf(scope: PolicyDefinition["scope"]): readonly string[];
  actions(): readonly string[];
  isAgentAction(action: string): boolean;
  carriesInput(action: string): boolean;
  replay(input: ReplayInput): Promise<ReplayFindings>;
  check(call: ProposedCall): ProposedVerdict;
}
export const policyPort = definePort<PolicyPort>("policies");

export interface Proposal {
  readonly action: string;
  readonly agent?: string | undefined;
  readonly skill?: string | undefined;
  readonly tool?: string | undefined;
  readonly model?: string | undefined;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** What a proposed call would be: what policies would see of it, whose gate it would pass, what it would cost, and whom its risk puts it before. */
export interface Proposed {
  readonly facts: PolicyFacts;
  readonly version: { readonly agent: string; readonly id: string } | null;
  readonly costUsd: number;
  /** The approval that gate and policies ask for, merged with what the call itself asks for. */
  demand(said: SaidOfProposal): AskedOfProposal;
}

export type SaidOfProposal = Pick<Governed, "approval" | "tags">;
export interface AskedOfProposal {
  readonly approval: ApprovalDemand | null;
  /** In a run whose model has read text that could steer it, which no proposal says. */
  readonly steered: ApprovalDemand | null;
}

/** What governance asks of tasks about a call that somebody proposes. */
export interface Proposals {
  /** The actions whose input is that of a task, and that pass the evaluation gate. */
  readonly ofWholeTasks: ReadonlySet<string>;
  faults(ctx: CallContext, proposal: Proposal): Fault[];
  call(ctx: CallContext, proposal: Proposal): Proposed;
}

export const proposals = definePort<Proposals>("proposals");
