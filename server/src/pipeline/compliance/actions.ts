/**
 * The actions of agents themselves. A policy whose scope names no actions applies to these and to nothing else
 * (governance, "Compliance": "without one, to what agents do").
 */
export const AGENT_ACTIONS = ["task.dispatch", "task.run", "tool.call", "model.call", "chat.message"] as const;
export type AgentAction = (typeof AGENT_ACTIONS)[number];

/**
 * Actions that no policy can deny or put under approval, so that nobody is locked out of what undoes a policy: policy administration,
 * stops, pauses, revocation of keys, `whoami`, reading the audit log. What a policy would have done to them is recorded as exempt.
 */
export const NEVER_DENIED_ACTIONS = [
  "policy.read",
  "policy.create",
  "policy.replace",
  "policy.retire",
  "policy.mode",
  "policy.check",
  "policy.simulate",
  "agent.pause",
  "stop.read",
  "stop.engage",
  "stop.release",
  "key.revoke",
  "whoami",
  "audit.read",
] as const;

const agentActions: ReadonlySet<string> = new Set(AGENT_ACTIONS);
const neverDenied: ReadonlySet<string> = new Set(NEVER_DENIED_ACTIONS);

/** Whether policies without named actions apply to it. */
export function isAgentAction(action: string): action is AgentAction {
  return agentActions.has(action);
}

/** Whether policies may only record and tag it. */
export function isNeverDenied(action: string): boolean {
  return neverDenied.has(action);
}
