import type { Principal } from "./principal.ts";
import { roleGrants } from "./role-permissions.ts";

// Which events somebody wants and which they may read: the same rules for endpoints, the event log and its stream.

/** What is wanted of events; null or left out: no bound. */
export interface EventFilter {
  /** Names (`task.completed`), beginnings (`task.*`), or `*`. */
  readonly events?: readonly string[] | null;
  /** Events of these agents; those that concern no agent are not among them. */
  readonly agents?: readonly string[] | null;
  /** Events of work of these levels of risk; those that concern no work are not among them. */
  readonly risks?: readonly string[] | null;
  /** Beginnings of the names of events that are left out. */
  readonly withheld?: readonly string[];
}

/** What a filter looks at. */
export interface FilteredEvent {
  readonly type: string;
  readonly agent: string | null;
  readonly risk: string | null;
}

/** Whether a name of an event is one of those that a pattern stands for. */
export function matchesPattern(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1));
}

/** Whether an event is among those that a filter lets through. */
export function passesFilter({ events, agents, risks, withheld }: EventFilter, event: FilteredEvent): boolean {
  if (withheld?.some((start) => event.type.startsWith(start))) return false;
  if (agents && (event.agent === null || !agents.includes(event.agent))) return false;
  if (risks && (event.risk === null || !risks.includes(event.risk))) return false;
  return !events || events.some((pattern) => matchesPattern(pattern, event.type));
}

/** What a filter looks at of a stored event: its name, its flat body as JSON, and the level of risk of the task that it belongs to. */
export function filteredEvent(type: string, body: string, risk: string | null): FilteredEvent {
  const told = JSON.parse(body) as Record<string, unknown>;
  return { type, agent: agentOfBody(told), risk: risk ?? (typeof told.risk === "string" ? told.risk : null) };
}

/** Events that tell of what is read by name (`role-permissions.ts`): who may read those may read these. */
const guarded: readonly (readonly [start: string, permission: string])[] = [
  ["key.", "admin:read"],
  ["audit.", "audit:read"],
];

/** Beginnings of the names of events that somebody may not read. */
export function withheldFrom({ kind, role, scopes }: Principal): string[] {
  if (kind === "system") return [];
  const may = (permission: string): boolean =>
    role !== null && roleGrants(role, permission) && (scopes === null || scopes.includes(permission));
  return guarded.filter(([, permission]) => !may(permission)).map(([start]) => start);
}

/** The permission that reading events of a name takes beyond `webhooks:read`; null: none. */
export function permissionToRead(type: string): string | null {
  return guarded.find(([start]) => type.startsWith(start))?.[1] ?? null;
}

/** The agent that an event's body concerns: it is named so, or it is the target of a stop or the scope of a budget. Null: none. */
export function agentOfBody(body: Readonly<Record<string, unknown>>): string | null {
  const { agent, scope, kind, target } = body;
  if (typeof agent === "string") return agent;
  if (typeof scope === "string" && scope.startsWith("agent:")) return scope.slice("agent:".length);
  return kind === "agent" && typeof target === "string" ? target : null;
}
