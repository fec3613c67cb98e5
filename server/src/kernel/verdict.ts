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
  /** The policies among those that ask, by id; left out: none. */
  readonly policies?: readonly string[];
}

/** Bounds of a run that policies set; the strictest of each counts, together with the skill's own. */
export interface RunLimits {
  readonly steps?: number;
  readonly seconds?: number;
  readonly tokens?: number;
  /** In US dollars. */
  readonly cost_usd?: number;
}

/** Personal data that leaves only as placeholders, by its kinds (`email`, `iban`, …); "all": whatever the detectors know. */
export interface RedactDemand {
  readonly kinds: readonly string[] | "all";
}

/** What the stages decided, for the handler: it acts on these, it never decides them again. */
export interface Governed {
  readonly stages: readonly StageVerdict[];
  /** The strictest of all approvals that the gate and the policies ask for; null when none does. */
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
  /** Bounds that policies set to the run; null where none does. */
  readonly limits: RunLimits | null;
  /** What policies want replaced by placeholders; null where none does. */
  readonly redact: RedactDemand | null;
}

/** Merges two demands to the stricter one in each respect. */
export function stricter(a: ApprovalDemand | null, b: ApprovalDemand | null): ApprovalDemand | null {
  if (!a || !b) return a ?? b;
  return {
    approvers: Math.max(a.approvers, b.approvers),
    requester_allowed: a.requester_allowed && b.requester_allowed,
    reasons: [...a.reasons, ...b.reasons],
    ...(a.policies || b.policies ? { policies: [...new Set([...(a.policies ?? []), ...(b.policies ?? [])])] } : {}),
  };
}

const bounds = ["steps", "seconds", "tokens", "cost_usd"] as const;

/** Two sets of bounds as one: the least of each. */
export function strictest(a: RunLimits | null, b: RunLimits): RunLimits {
  if (!a) return b;
  const least: { -readonly [Name in keyof RunLimits]: RunLimits[Name] } = { ...a };
  for (const name of bounds) {
    const bound = b[name];
    if (bound !== undefined) least[name] = Math.min(bound, a[name] ?? bound);
  }
  return least;
}

/** Two demands as one: what either wants replaced is. */
export function united(a: RedactDemand | null, b: RedactDemand): RedactDemand {
  if (!a) return b;
  if (a.kinds === "all" || b.kinds === "all") return { kinds: "all" };
  return { kinds: [...new Set([...a.kinds, ...b.kinds])].sort() };
}
