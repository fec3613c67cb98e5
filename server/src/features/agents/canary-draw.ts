import { hash } from "node:crypto";
import type { KnownAgent } from "./facts.ts";

/** Which version a dispatch goes to, and the experiment that it takes part in by that. */
export interface Arm {
  /** The agent with the drawn version in the place of the live one. */
  readonly agent: KnownAgent;
  readonly experiment: string | null;
  /** What the caller's sticky key is known by; null: it gave none, or no canary runs. */
  readonly sticky: string | null;
}

/** Where a text falls among all, in [0, 100), alike for every process. */
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
