import type { StageName } from "./errors.ts";

export type VerdictWord = "allow" | "deny" | "require_approval" | "not_applicable" | "recorded" | "not_reached";

/** What one stage said of one call, as it stands in the audit record. */
export interface StageVerdict {
  readonly stage: StageName;
  readonly verdict: VerdictWord;
  readonly reasons: readonly string[];
  readonly policy_version: string | null;
}

/** Persons of whom so many have to approve: whoever has one of the roles, is in one of the teams or is named; all empty: anybody who may decide. */
export interface RequiredStage {
  /** Persons. */
  readonly quorum: number;
  readonly roles: readonly string[];
  readonly teams: readonly string[];
  readonly members: readonly string[];
}

/** A policy or an approval rule that asks, as it was when people were asked. Stages come one after another; a policy has none. */
export interface Requirement {
  readonly kind: "policy" | "rule";
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly stages: readonly RequiredStage[];
}

/** When an approval that nobody decided ends, counted from asking, and how. Never by approving it. */
export interface DemandedExpiry {
  readonly expires_in_seconds: number;
  readonly on_expiry: "reject" | "escalate";
}

/** An approval that a stage asks for. */
export interface ApprovalDemand {
  readonly approvers: number;
  readonly requester_allowed: boolean;
  readonly reasons: readonly string[];
  /** The policies among those that ask, by id; left out: none. */
  readonly policies?: readonly string[];
  /** The policies and approval rules among those that ask; left out: none. */
  readonly required_by?: readonly Requirement[];
  /** Left out: nothing sets an end. */
  readonly expiry?: DemandedExpiry;
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

/**
 * Merges two demands to the stricter one in each respect. It is the join of a lattice, but for the order in which reasons are said: commutative, associative,
 * idempotent, and never weaker than either of the two. So nothing that asks can lower what something else asks for.
 */
export function stricter(a: ApprovalDemand | null, b: ApprovalDemand | null): ApprovalDemand | null {
  if (!a || !b) return a ?? b;
  const expiry = a.expiry && b.expiry ? stricterExpiry(a.expiry, b.expiry) : (a.expiry ?? b.expiry);
  return {
    approvers: Math.max(a.approvers, b.approvers),
    requester_allowed: a.requester_allowed && b.requester_allowed,
    reasons: [...new Set([...a.reasons, ...b.reasons])],
    ...(a.policies || b.policies ? { policies: [...new Set([...(a.policies ?? []), ...(b.policies ?? [])])] } : {}),
    ...(a.required_by || b.required_by ? { required_by: requirementsOf(a.required_by, b.required_by) } : {}),
    ...(expiry && { expiry }),
  };
}

/** What tells requirements apart: each version is one of its own. */
export const requirementKey = ({ kind, id, version }: Requirement): string => `${kind} ${id} ${version}`;

/** Each requirement once, in order of kind, id and version. */
function requirementsOf(a: readonly Requirement[] = [], b: readonly Requirement[] = []): Requirement[] {
  const each = new Map([...b, ...a].map((one) => [requirementKey(one), one]));
  return [...each].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, requirement]) => requirement);
}

/** The earlier end; of two at the same time the one that rejects. */
export function stricterExpiry(a: DemandedExpiry, b: DemandedExpiry): DemandedExpiry {
  if (a.expires_in_seconds !== b.expires_in_seconds) return a.expires_in_seconds < b.expires_in_seconds ? a : b;
  return a.on_expiry === "reject" ? a : b;
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
