import type { StageName } from "./errors.ts";

export type VerdictWord = "allow" | "deny" | "require_approval" | "not_applicable" | "recorded" | "not_reached";

/** What one stage said of one call, as it stands in the audit record. */
export interface StageVerdict {
  readonly stage: StageName;
  readonly verdict: VerdictWord;
  readonly reasons: readonly string[];
  readonly policy_version: string | null;
}

/** An approval that a stage asks for. */
export interface ApprovalDemand {
  readonly approvers: number;
  readonly requester_allowed: boolean;
  readonly reasons: readonly string[];
}

/** What the stages decided, for the handler: it acts on these, it never decides them again. */
export interface Governed {
  readonly stages: readonly StageVerdict[];
  /** The strictest of all approvals that the gate and the policies ask for; null when none does. */
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
}

/** Merges two demands to the stricter one in each respect. */
export function stricter(a: ApprovalDemand | null, b: ApprovalDemand | null): ApprovalDemand | null {
  if (!a || !b) return a ?? b;
  return {
    approvers: Math.max(a.approvers, b.approvers),
    requester_allowed: a.requester_allowed && b.requester_allowed,
    reasons: [...a.reasons, ...b.reasons],
  };
}
