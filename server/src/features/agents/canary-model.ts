import { dueAt } from "../../kernel/canary/index.ts";
import type { CallContext } from "../../kernel/context.ts";
import { type GateConsequence, gateState } from "../../kernel/gate-table.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { CanaryStanding } from "./experiment-store.ts";
import { healthSources } from "./health-port.ts";

const hourMs = 3_600_000;

/** What is to be done about a canary next; null: wait. */
export type CanaryStep = "look" | "promote" | "abort_worse" | "abort_limit" | "abort_gate";

/** Whether the canary's version may act. */
export interface CanaryLeave {
  /** What follows from its evaluation gate, by the agent's own rules; null: not known for sure in this moment. */
  readonly gate: GateConsequence | null;
  /** Whether a kill switch or a pause stands against it. */
  readonly held: boolean;
}

/** From memory, which may be a moment behind: where it knows another verdict than the tables, nothing follows from it yet. */
export function leaveOf({ facts, now }: Pick<CallContext, "facts" | "now">, canary: CanaryStanding): CanaryLeave {
  const { organization, environment, agent, version_id: versionId, gate, gate_expires } = canary;
  const scope: Scope = { organization, environment };
  const ctx = { facts, now, scope };
  const { gate: gateHere, hold } = healthSources();
  const { state, consequence } = gateHere(ctx, agent, versionId);
  const stored = gate === null ? undefined : { verdict: gate, expiresAt: gate_expires?.getTime() ?? 0 };
  const held = ["task.dispatch", "task.run"].some((action) => hold(ctx, action, { agent, versionId }) !== null);
  return { gate: gateState(stored, now) === state ? consequence : null, held };
}

/** By its rule; the same for whoever asks, so that only what leads to something is carried out. */
export function nextStep(canary: CanaryStanding, { gate, held }: CanaryLeave, now: number): CanaryStep | null {
  const { rule, judged, last, verdict, paused, stopped } = canary;
  if (gate === "refuse") return "abort_gate";
  if (verdict === "worse") return "abort_worse";
  if (judged >= dueAt(last === null ? [] : [last], rule)) return "look";
  const limit = last !== null && last >= rule.most_judged && verdict === "undecided";
  if (limit && rule.on_limit === "abort") return "abort_limit";
  const ready = (verdict === "no_worse" && rule.promote === "by_rule") || (limit && rule.on_limit === "promote");
  const old = now >= canary.created_at.getTime() + rule.least_hours * hourMs;
  // Where the gate asks people first, a person promotes.
  const lets = gate === "go" || gate === "tag";
  return ready && old && !paused && !stopped && !held && lets ? "promote" : null;
}
