import type { Environment } from "../../kernel/principal.ts";
import type { RunLimits } from "../../kernel/verdict.ts";

export const POLICY_STATES = ["draft", "shadow", "active", "retired"] as const;
export type PolicyState = (typeof POLICY_STATES)[number];

export const POLICY_EFFECTS = ["deny", "require_approval", "redact", "limit", "notify", "tag"] as const;
export type PolicyEffect = (typeof POLICY_EFFECTS)[number];

/** What a policy is about. An absent member does not narrow, save `actions`: without it, what agents do (`AGENT_ACTIONS`). */
export interface PolicyScope {
  /** Names of actions, such as `task.dispatch`. */
  readonly actions?: readonly string[];
  /** Names of agents; `*` stands for any run of characters, `?` for one. */
  readonly agents?: readonly string[];
  readonly environments?: readonly Environment[];
}

export interface ApprovalParams {
  /** How many people must approve, 1 to 5; 1 when absent. */
  readonly approvers?: number;
  /** Whether the person who asked may be one of them; true when absent. The strictest of all demands counts. */
  readonly requester_allowed?: boolean;
  /** Shown to the approver; the policy's message when absent. */
  readonly reason?: string;
}

export interface TagParams {
  readonly tags: readonly string[];
}

export interface RedactParams {
  /** Kinds of data (`email`, `iban`, …) that are replaced by placeholders; all that the detectors know when absent. Of several policies united. */
  readonly kinds?: readonly string[];
}

/** Bounds of a run, at least one; of several policies, and of the skill, the least of each counts. */
export type LimitParams = RunLimits;

export type PolicyParams = ApprovalParams | TagParams | RedactParams | LimitParams | Readonly<Record<string, never>>;

/** A policy as it is stored. Versions are immutable: (id, version) names one text for ever. */
export interface Policy {
  readonly id: string;
  readonly version: number;
  readonly state: PolicyState;
  readonly scope: PolicyScope;
  /** A CEL expression over the policy context whose result is boolean: true means that the effect applies. */
  readonly when: string;
  readonly effect: PolicyEffect;
  readonly params: PolicyParams;
  readonly reason_code: string;
  readonly message: string;
  /** Controls of frameworks that this policy implements, such as `soc2:CC6.1`. */
  readonly controls: readonly string[];
  /** Milliseconds since the epoch; null: no bound. It holds from `effective_from` on, and ends at `effective_until`, exclusive. */
  readonly effective_from: number | null;
  readonly effective_until: number | null;
}

/** One fault of a policy. `line` and `column` count from 1, `offset` from 0 in UTF-16 units; they are there where `pointer` is `/when`. */
export interface PolicyFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly line?: number;
  readonly column?: number;
  readonly offset?: number;
}

/** The reason code of a policy that could not be evaluated; no policy can take it for its own. */
export const POLICY_ERROR = "policy_error";
