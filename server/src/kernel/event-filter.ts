import type { Principal } from "./principal.ts";
import { roleGrants } from "./role-permissions.ts";

// Which events a subscriber wants and may read. Endpoints, the event log and its stream share these rules.

/** Null or absent members do not filter. */
export interface EventFilter {
  /** Names (`task.completed`), prefixes (`task.*`), or `*`. */
  readonly events?: readonly string[] | null;
  /** Excludes events that concern no agent. */
  readonly agents?: readonly string[] | null;
  /** Excludes events that concern no task. */
  readonly risks?: readonly string[] | null;
  /** Name prefixes of events to leave out. */
  readonly withheld?: readonly string[];
}

export interface FilteredEvent {
  readonly type: string;
  readonly agent: string | null;
  readonly risk: string | null;
}

export function matchesPattern(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1));
}

export function passesFilter({ events, agents, risks, withheld }: EventFilter, event: FilteredEvent): boolean {
  if (withheld?.some((start) => event.type.startsWith(start))) return false;
  if (agents && (event.agent === null || !agents.includes(event.agent))) return false;
  if (risks && (event.risk === null || !risks.includes(event.risk))) return false;
  return !events || events.some((pattern) => matchesPattern(pattern, event.type));
}

/** `body`: the event's JSON. `risk`: of the task that the event belongs to. */
export function filteredEvent(type: string, body: string, risk: string | null): FilteredEvent {
  const members = JSON.parse(body) as Record<string, unknown>;
  return { type, agent: agentOfBody(members), risk: risk ?? (typeof members.risk === "string" ? members.risk : null) };
}

/** Events about guarded resources take the permission to read these (`role-permissions.ts`). */
const guarded: readonly (readonly [start: string, permission: string])[] = [
  ["key.", "admin:read"],
  ["audit.", "audit:read"],
];

/** Name prefixes of the events that a principal may not read. */
export function withheldFrom({ kind, role, scopes }: Principal): string[] {
  if (kind === "system") return [];
  const may = (permission: string): boolean =>
    role !== null && roleGrants(role, permission) && (scopes === null || scopes.includes(permission));
  return guarded.filter(([, permission]) => !may(permission)).map(([start]) => start);
}

/** The permission that an event needs beyond `webhooks:read`; null if none. */
export function permissionToRead(type: string): string | null {
  return guarded.find(([start]) => type.startsWith(start))?.[1] ?? null;
}

/** The agent that an event concerns: its `agent`, the target of a kill switch or the scope of a budget. Null if none. */
export function agentOfBody(body: Readonly<Record<string, unknown>>): string | null {
  const { agent, scope, kind, target } = body;
  if (typeof agent === "string") return agent;
  if (typeof scope === "string" && scope.startsWith("agent:")) return scope.slice("agent:".length);
  return kind === "agent" && typeof target === "string" ? target : null;
}
