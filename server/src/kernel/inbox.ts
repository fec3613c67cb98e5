import type { Principal } from "./principal.ts";

export const inboxKinds = ["approval", "question", "handoff", "dead_letter", "mention"] as const;
export type InboxKind = (typeof inboxKinds)[number];

/**
 * What waits for people in one slice, as a part of the one list of all of them. The slice that owns the table says the statement; the list ranks and pages over
 * all sources in one.
 */
export interface InboxSource {
  readonly kind: InboxKind;
  /** The permission by which a caller sees it. */
  readonly reads: string;
  /** The permission by which a caller acts on it. */
  readonly acts: string;
  /**
   * A select of {@link inboxColumns}, in that order. `$1` organization, `$2` environment, `$3` the agents of a narrowed key (null: any), `$4` the caller's id,
   * `$5` JSON of the caller as one who decides on approvals. `may` does not ask for the permission `acts`.
   */
  readonly sql: string;
  /** Whether narrowed keys see it; default true: the statement looks at `$3`. */
  readonly narrowed?: false;
  /** Whether a caller with the permission can act at all; default: all can. */
  readonly actors?: (caller: Principal) => boolean;
}

/** What sources select: `page` is the path of the portal's page, `member` who alone is asked, `risk` a level or null. */
export const inboxColumns = [
  "id",
  "title",
  "text",
  "agent",
  "risk",
  "since",
  "due",
  "task",
  "run",
  "workflow",
  "member",
  "may",
  "page",
] as const;
