import { type EventFilter, withheldFrom } from "../kernel/event-filter.ts";
import type { Role } from "../kernel/principal.ts";
import { readerTokens } from "../kernel/readers.ts";

/** Whose sight a webhook endpoint has: that of whoever set its address and events, as it was then and as it is now. */
export interface EndpointSight {
  /** Tokens of then; null: everything. */
  readonly sight: string[] | null;
  readonly sight_of: string;
  /** Name prefixes of events withheld for want of a permission then. */
  readonly withheld: readonly string[];
  /** The role that they have now; null: none, or they were removed. */
  readonly role_now: Role | null;
}

/** SQL: the role that who set an endpoint up has now. */
export const roleNow = (endpoint: string): string =>
  `(select m.roles ->> ${endpoint}.environment from members m where m.organization = ${endpoint}.organization and m.id = ${endpoint}.sight_of and m.removed_at is null)`;

/** What of the events an endpoint may be sent. */
export function sightOfEndpoint(stored: EndpointSight): Required<Pick<EventFilter, "sight" | "withheld">> {
  const { sight, sight_of: id, role_now: role, withheld } = stored;
  const now = role === null ? [] : readerTokens({ kind: "member", id, role });
  return {
    sight: [sight, now],
    withheld: [...new Set([...withheld, ...withheldFrom({ kind: "member", role, scopes: null })])],
  };
}
