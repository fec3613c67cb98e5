/** The actions of agents themselves. A policy whose scope names no actions applies to these and to nothing else. */
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
  "session.revoke",
  "whoami",
  "audit.read",
] as const;

/**
 * Every other action that a policy can name. An operation's action stands in one of these lists (a test walks the registry), so that a misspelt
 * one is found when a policy is saved, instead of making it a policy that never applies.
 */
const OTHER_ACTIONS = [
  ...[
    "agent.archive",
    "agent.change",
    "agent.create",
    "agent.deploy",
    "agent.freeze",
    "agent.read",
    "agent.resume",
    "agent.rollback",
    "agent.train",
  ],
  ...[
    "approval.batch",
    "approval.decide",
    "approval.delegate",
    "approval.read",
    "audit.export",
    "budget.read",
    "budget.set",
  ],
  ...["document.add", "document.read", "knowledge.create", "knowledge.read"],
  ...[
    "dataset.change",
    "dataset.create",
    "dataset.read",
    "evaluation.read",
    "evaluation.run",
    "gate.read",
    "gate.set",
    "review.give",
    "review.monitor",
    "review.read",
    "scorer.read",
    "scorer.set",
  ],
  ...["connection.add", "connection.read", "connection.remove", "connection.test"],
  ...["key.issue", "key.read", "member.read", "member.set", "session.open", "settings.change", "settings.read"],
  ...["member.invite", "passkey.change", "session.read"],
  ...[
    "task.batch",
    "task.cancel",
    "task.change",
    "task.feedback",
    "task.input",
    "task.read",
    "task.retry",
    "violation.read",
  ],
  ...[
    "event.read",
    "webhook.change",
    "webhook.create",
    "webhook.read",
    "webhook.recover",
    "webhook.remove",
    "webhook.retry",
    "webhook.rotate",
    "webhook.test",
  ],
];

/** Every action that a policy's scope can name, in alphabetical order. */
export const KNOWN_ACTIONS: readonly string[] = [
  ...new Set([...AGENT_ACTIONS, ...NEVER_DENIED_ACTIONS, ...OTHER_ACTIONS]),
].sort();

/** Actions that can wait for people; where another one would need approval, it is refused. */
const waitingActions: ReadonlySet<string> = new Set(["task.dispatch", "task.run", "tool.call"]);

/** Actions whose calls carry an input that policies see: all that agents do, and what brings text into the service. */
const inputActions: ReadonlySet<string> = new Set([
  ...AGENT_ACTIONS,
  ...["approval.decide", "document.add", "task.change", "task.input", "task.retry"],
]);

const agentActions: ReadonlySet<string> = new Set(AGENT_ACTIONS);
const neverDenied: ReadonlySet<string> = new Set(NEVER_DENIED_ACTIONS);

/** Whether policies without named actions apply to it. */
export function isAgentAction(action: string): action is AgentAction {
  return agentActions.has(action);
}

/** The action under which policies judge a repetition of a change: reading an object of the same kind. */
export function readActionOf(action: string): string {
  return `${action.slice(0, action.indexOf("."))}.read`;
}

/** Whether policies may only record and tag it. */
export function isNeverDenied(action: string): boolean {
  return neverDenied.has(action);
}

/** Whether a demand for approval lets the call wait rather than refuses it. */
export function canWait(action: string): boolean {
  return waitingActions.has(action);
}

/** Whether calls of the action carry an input. */
export function carriesInput(action: string): boolean {
  return inputActions.has(action);
}
