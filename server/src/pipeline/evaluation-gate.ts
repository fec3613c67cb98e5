import { refuse } from "../kernel/errors.ts";
import { type GateOverride, type GateState, gateConsequence, gateState } from "../kernel/gate-table.ts";
import type { GateSubject } from "../kernel/operation.ts";
import type { Scope } from "../kernel/principal.ts";
import { gateFailed } from "../kernel/problems.ts";
import type { ApprovalDemand, StageVerdict } from "../kernel/verdict.ts";
import type { GateFacts } from "./ports.ts";

export interface GateOutcome {
  readonly verdict: StageVerdict;
  readonly approval: ApprovalDemand | null;
  readonly tags: readonly string[];
}

const said: Readonly<Record<GateState, string>> = {
  open: "its evaluation gate is open",
  failed: "it failed its evaluation gate",
  inconclusive: "its evaluation gate is inconclusive",
  expired: "the evidence of its evaluation gate is out of date",
  missing: "there is no evaluation evidence for it",
};

/** What the stage decides from: the verdict on the version, if any, and what the agent's gate says of its own. */
export interface GateKnowledge {
  readonly facts: GateFacts | undefined;
  readonly override: GateOverride;
}

/**
 * The stage: two map look-ups and one table. Throws `evaluation_gate_failed`; else says what the verdict asks for.
 * `waits`: whether the operation can put itself before people; one that cannot is refused where approval is asked for.
 */
export function passGate(
  subject: GateSubject,
  scope: Scope,
  { facts, override }: GateKnowledge,
  now: number,
  waits: boolean,
): GateOutcome {
  const state = gateState(facts, now);
  const consequence = gateConsequence(scope.environment, override, state);
  const reasons = [`${state}: ${subject.agent} ${subject.versionId}`, ...(facts?.reasons ?? [])];
  const version = facts?.version ?? null;
  const asksNow = consequence === "approve" && subject.asksLater !== true;
  if (consequence === "refuse" || (asksNow && !waits)) {
    throw refuse(
      gateFailed,
      `Agent ${subject.agent}, version ${subject.versionId}, may not act in ${scope.environment}: ${said[state]}.`,
      {
        stage: "evaluation_gate",
        members: { gate: { state, reasons: facts?.reasons ?? [], version } },
      },
    );
  }
  if (asksNow) {
    const approval = {
      approvers: 1,
      requester_allowed: true,
      reasons: [`The evaluation gate asks for approval: ${said[state]}.`],
    };
    return {
      verdict: { stage: "evaluation_gate", verdict: "require_approval", reasons, policy_version: version },
      approval,
      tags: [],
    };
  }
  const tags = consequence === "go" ? [] : [`gate:${state}`];
  return {
    verdict: { stage: "evaluation_gate", verdict: "allow", reasons, policy_version: version },
    approval: null,
    tags,
  };
}

/** Several versions, at least one, as one verdict: the strictest, with everybody's reasons. */
export function mergeOutcomes(outcomes: readonly GateOutcome[]): GateOutcome {
  const [first] = outcomes as readonly [GateOutcome];
  if (outcomes.length === 1) return first;
  const strictest = outcomes.find(({ approval }) => approval !== null) ?? first;
  const reasons = outcomes.flatMap(({ verdict }) => verdict.reasons);
  const tags = [...new Set(outcomes.flatMap((outcome) => outcome.tags))];
  return { ...strictest, verdict: { ...strictest.verdict, reasons }, tags };
}
