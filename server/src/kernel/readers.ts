import type { Principal } from "./principal.ts";

// Lists of readers. An object may be restricted to readers: null is everybody with the permission, else tokens `role:<role>`, `member:<mbr_…>`,
// `team:<name>` and `agent:<name>`, of which a reader has to carry one.

/** The tokens that a reader carries; null: an admin, or the service itself, who see everything. */
export type ReaderTokens = readonly string[] | null;

/** Everybody in whose sight something has to be; null entries see everything. */
export type Sight = readonly ReaderTokens[];

/** A list of readers; null: everybody. */
export type Readers = readonly string[] | null;

/** The tokens of whoever calls. A role is matched literally: a builder is no operator here. */
export function readerTokens({
  kind,
  id,
  role,
  teams = [],
}: Pick<Principal, "kind" | "id" | "role" | "teams">): ReaderTokens {
  if (kind === "system" || role === "admin") return null;
  return [...(role === null ? [] : [`role:${role}`]), `member:${id}`, ...teams.map((team) => `team:${team}`)];
}

/** An agent in a run has its own name alone, whoever dispatched the task. */
export const agentTokens = (agent: string): ReaderTokens => [`agent:${agent}`];

/** Whether someone of these tokens may read what has these lists, such as a document's and its base's. */
export const maySee = (sight: Sight, ...lists: readonly Readers[]): boolean =>
  sight.every(
    (tokens) => tokens === null || lists.every((list) => list === null || list.some((one) => tokens.includes(one))),
  );
