import { eventCatalogue } from "./events.ts";
import type { Principal } from "./principal.ts";
import { maySee, type Readers, type Sight } from "./readers.ts";
import { principalHolds } from "./role-permissions.ts";
import { membersOf } from "./stored-json.ts";

// Which events a subscriber wants and may read. Endpoints, the event log and its stream share these rules.

/** Null or absent members do not filter. */
export interface EventFilter {
  /** Whoever gets the events: objects with readers have to be in their sight. */
  readonly sight: Sight;
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
  /** The lists of readers of the object that it is about; null: it has none. */
  readonly readers: readonly Readers[] | null;
}

export function matchesPattern(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1));
}

export function passesFilter({ sight, events, agents, risks, withheld }: EventFilter, event: FilteredEvent): boolean {
  if (event.readers && !maySee(sight, ...event.readers)) return false;
  if (withheld?.some((start) => event.type.startsWith(start))) return false;
  if (agents && (event.agent === null || !agents.includes(event.agent))) return false;
  if (risks && (event.risk === null || !risks.includes(event.risk))) return false;
  return !events || events.some((pattern) => matchesPattern(pattern, event.type));
}

/** What filters look at of a stored event. `risk`: of the task that it belongs to. */
export type EventToFilter = Pick<FilteredEvent, "type" | "risk" | "readers"> & { readonly body: string };

export function filteredEvent({ type, body, risk, readers }: EventToFilter): FilteredEvent {
  const members = membersOf(body);
  const own = typeof members.risk === "string" ? members.risk : null;
  return { type, agent: agentOfBody(members), risk: risk ?? own, readers };
}

/** Events that a principal lacks the permission to read, by their names; of a group that is withheld as a whole its prefix (`key.`). */
export function withheldFrom(principal: Pick<Principal, "kind" | "role" | "scopes">): string[] {
  const withheld = new Set<string>();
  const groups = new Map<string, boolean>();
  for (const { type, readers } of eventCatalogue()) {
    const isWithheld = readers.permission !== null && !principalHolds(principal, readers.permission);
    if (isWithheld) withheld.add(type);
    const group = groupOf(type);
    groups.set(group, isWithheld && groups.get(group) !== false);
  }
  return [...new Set([...withheld].map((type) => (groups.get(groupOf(type)) ? groupOf(type) : type)))];
}

const groupOf = (type: string): string => type.slice(0, type.indexOf(".") + 1) || type;

/** The permission that an event needs beyond `webhooks:read`; null if none. */
export const permissionToRead = (type: string): string | null =>
  eventCatalogue().find((event) => event.type === type)?.readers.permission ?? null;

/** The agent that an event concerns: its `agent`, the target of a kill switch or the scope of a budget. Null if none. */
export function agentOfBody(body: Readonly<Record<string, unknown>>): string | null {
  const { agent, scope, kind, target } = body;
  if (typeof agent === "string") return agent;
  if (typeof scope === "string" && scope.startsWith("agent:")) return scope.slice("agent:".length);
  return kind === "agent" && typeof target === "string" ? target : null;
}
