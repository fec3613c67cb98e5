import { knownActions, traitsOf } from "../../kernel/actions.ts";

/**
 * The actions of agents themselves. A policy whose scope names no actions applies to these and to nothing else. Every other action is declared by the slice
 * whose operations it governs.
 */
export const AGENT_ACTIONS = ["task.dispatch", "task.run", "tool.call", "model.call", "chat.message"] as const;
export type AgentAction = (typeof AGENT_ACTIONS)[number];

const agentActions: ReadonlySet<string> = new Set(AGENT_ACTIONS);

/** Every action that a policy's scope can name, in alphabetical order. */
export function allActions(): readonly string[] {
  return [...new Set([...AGENT_ACTIONS, ...knownActions()])].sort();
}

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
  return traitsOf(action).neverDenied === true;
}

/** Whether a demand for approval lets the call wait rather than refuses it. */
export function canWait(action: string): boolean {
  return traitsOf(action).waits === true;
}

/** Whether calls of the action carry an input: all that agents do, and what brings text into the service. */
export function carriesInput(action: string): boolean {
  return isAgentAction(action) || traitsOf(action).carriesInput === true;
}
