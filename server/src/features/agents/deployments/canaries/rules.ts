import { hash } from "node:crypto";
import { asEarlier, storedActor } from "../../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../../kernel/context.ts";
import { type GateConsequence, gateState } from "../../../../kernel/gate-table.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { defineStanding, resolveActor } from "../../../admin/public.ts";
import type { KnownAgent } from "../../facts.ts";
import { healthSources } from "../../ports.ts";
import type { DeploymentRow } from "../store.ts";
import { dueAt } from "./decide.ts";
import { type CanaryProgress, findRunningCanary, takeCanary } from "./store.ts";

const hourMs = 3_600_000;

export type CanaryStep = "look" | "promote" | "abort_worse" | "abort_limit" | "abort_gate";

interface CanaryLeave {
  /** By the agent's own rules; null if memory and tables disagree. */
  readonly gate: GateConsequence | null;
  /** By a kill switch or a pause. */
  readonly held: boolean;
}

/** From memory, which may lag: where it knows another verdict than the tables, nothing follows yet. */
export function leaveOf(
  { facts, now, port }: Pick<CallContext, "facts" | "now" | "port">,
  canary: CanaryProgress,
): CanaryLeave {
  const { organization, environment, agent, version_id: versionId, gate, gate_expires } = canary;
  const scope: Scope = { organization, environment };
  const ctx = { facts, now, scope };
  const { gate: gateHere, hold } = port(healthSources);
  const { state, consequence } = gateHere(ctx, agent, versionId);
  const stored = gate === null ? undefined : { verdict: gate, expiresAt: gate_expires?.getTime() ?? 0 };
  const held = ["task.dispatch", "task.run"].some((action) => hold(ctx, action, { agent, versionId }) !== null);
  return { gate: gateState(stored, now) === state ? consequence : null, held };
}

/** Depends on its arguments alone, so that the sweep calls only where something is to be done. */
export function nextStep(canary: CanaryProgress, { gate, held }: CanaryLeave, now: number): CanaryStep | null {
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

/** The kill switch that keeps new tasks from the canary but not from the live version. */
export function canaryHold(
  ctx: Pick<CallContext, "facts" | "scope" | "now" | "port">,
  { agent, live, canary }: KnownAgent,
): { readonly source: string; readonly detail: string } | null {
  if (!live || !canary) return null;
  const { hold } = ctx.port(healthSources);
  for (const action of ["task.dispatch", "task.run"]) {
    const held = hold(ctx, action, { agent, versionId: canary.version.id });
    if (held && !hold(ctx, action, { agent, versionId: live.id })) return held;
  }
  return null;
}

/** Without the canary while a kill switch stands against it alone: the live version takes all tasks. */
export const drawable = (ctx: Pick<CallContext, "facts" | "scope" | "now" | "port">, agent: KnownAgent): KnownAgent =>
  canaryHold(ctx, agent) ? { ...agent, canary: null } : agent;

/** The version that a dispatch goes to. */
export interface Arm {
  /** With the drawn version as its live one. */
  readonly agent: KnownAgent;
  readonly experiment: string | null;
  /** Hash of the caller's sticky key; null without one, or without a canary. */
  readonly sticky: string | null;
}

/** Position of a text among all, in [0, 100); the same in every process. */
export const percentile = (text: string): number => (hash("sha256", text, "buffer").readUInt32BE(0) / 2 ** 32) * 100;

const asCanary = new WeakMap<KnownAgent, KnownAgent>();

function withCanary(agent: KnownAgent): KnownAgent {
  let made = asCanary.get(agent);
  if (!made) {
    made = { ...agent, live: agent.canary?.version ?? agent.live };
    asCanary.set(agent, made);
  }
  return made;
}

/**
 * Draws the version that a dispatch goes to. All dispatches with one sticky key go to the same version as long as the share does not change, and to the canary
 * still when it grows. Others are drawn one by one by `call`, an id of the call, so that every stage of it sees the same version. A dispatch that the canary's
 * version would not take goes to the live one and takes no part, on either side: both arms have the same kind of work.
 */
export function drawArm(
  agent: KnownAgent,
  given: { readonly sticky: string | null; readonly call: string; taken(by: KnownAgent): boolean },
): Arm {
  const { canary } = agent;
  if (!canary) return { agent, experiment: null, sticky: null };
  const other = withCanary(agent);
  if (!given.taken(other)) return { agent, experiment: null, sticky: null };
  const { deploymentId, share } = canary;
  const drawn = percentile(`${deploymentId} ${given.sticky ?? given.call}`) < share;
  const sticky = given.sticky === null ? null : hash("sha256", `${deploymentId} ${given.sticky}`, "hex").slice(0, 16);
  return { agent: drawn ? other : agent, experiment: deploymentId, sticky };
}

// A canary's rule promotes it on behalf of whoever started it.

const permission = "agents:deploy";

/** Names a canary in takeovers. */
export const canaryObject = (deployment: string): string => `canary:${deployment}`;

/** Returns null if the service may promote it. */
export async function whyCanaryMayNot(ctx: WriteContext, row: DeploymentRow): Promise<string | null> {
  if (row.actor === null) return "nobody is recorded who started it";
  return (await resolveActor(ctx, storedActor(row.actor), permission, [row.agent])).stopped ?? null;
}

const pathOf = ({ agent, id }: DeploymentRow): string => `/v1/agents/${agent}/deployments/${id}`;

export const standingCanary = defineStanding({
  kind: "canary",
  permission,
  part: "deployed",
  async find(ctx, id) {
    const row = await findRunningCanary(ctx, id);
    if (!row?.actor) return undefined;
    const { stopped_reason: stoppedReason, agent } = row;
    const actor = storedActor(row.actor);
    const deciders = asEarlier(actor.persons, "deployed", canaryObject(id));
    return { object: canaryObject(id), actor, deciders, stoppedReason, agents: [agent], path: pathOf(row) };
  },
  lock: findRunningCanary,
  give: (ctx, { id }, actor) => takeCanary(ctx, id, actor),
});
