import { refuse } from "../kernel/errors.ts";
import type { GateSubject } from "../kernel/operation.ts";
import type { Environment, Scope } from "../kernel/principal.ts";
import { gateFailed } from "../kernel/problems.ts";
import type { ApprovalDemand, StageVerdict } from "../kernel/verdict.ts";
import type { GateFacts } from "./ports.ts";

/** What the gate knows of a version: its verdict, or that there is none, or that it is out of date. */
export type GateState = "open" | "failed" | "inconclusive" | "expired" | "missing";
type Consequence = "go" | "approve" | "refuse" | "tag";

/** What follows from each verdict in each environment (governance: evaluation gate; start values, a gate's own table will override). */
export const gateTable: Readonly<Record<Environment, Readonly<Record<GateState, Consequence>>>> = {
  production: { open: "go", failed: "refuse", inconclusive: "approve", expired: "approve", missing: "approve" },
  staging: { open: "go", failed: "refuse", inconclusive: "approve", expired: "approve", missing: "approve" },
  development: { open: "go", failed: "tag", inconclusive: "tag", expired: "tag", missing: "tag" },
};

export interface GateOutcome {
  readonly verdict: StageVerdict;
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
}

/** The state of a version's gate at a moment. Missing and outdated evidence are states of their own, never silently open. */
export function gateState(facts: GateFacts | undefined, now: number): GateState {
  if (!facts) return "missing";
  return facts.expiresAt <= now ? "expired" : facts.verdict;
}

const said: Readonly<Record<GateState, string>> = {
  open: "its evaluation gate is open",
  failed: "it failed its evaluation gate",
  inconclusive: "its evaluation gate is inconclusive",
  expired: "the evidence of its evaluation gate is out of date",
  missing: "there is no evaluation evidence for it",
};

/**
 * The stage: one map look-up and one table. Throws `evaluation_gate_failed`; else says what the verdict asks for.
 * `waits`: whether the operation can put itself before people; one that cannot is refused where approval is asked for.
 */
export function passGate(subject: GateSubject, scope: Scope, facts: GateFacts | undefined, now: number, waits: boolean): GateOutcome {
  const state = gateState(facts, now);
  const consequence = gateTable[scope.environment][state];
  const reasons = [`${state}: ${subject.agent} ${subject.versionId}`, ...(facts?.reasons ?? [])];
  const version = facts?.version ?? null;
  if (consequence === "refuse" || (consequence === "approve" && !waits)) {
    throw refuse(gateFailed, `Agent ${subject.agent}, version ${subject.versionId}, may not act in ${scope.environment}: ${said[state]}.`, {
      stage: "evaluation_gate",
      members: { gate: { state, reasons: facts?.reasons ?? [], version } },
    });
  }
  if (consequence === "approve") {
    const approval = { approvers: 1, requester_allowed: true, reasons: [`The evaluation gate asks for approval: ${said[state]}.`] };
    return { verdict: { stage: "evaluation_gate", verdict: "require_approval", reasons, policy_version: version }, approval, tags: [] };
  }
  const tags = consequence === "tag" ? [`gate:${state}`] : [];
  return { verdict: { stage: "evaluation_gate", verdict: "allow", reasons, policy_version: version }, approval: null, tags };
}
