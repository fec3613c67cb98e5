import { sql } from "../../db/scoped.ts";
import type { Principal } from "../../kernel/principal.ts";

// Who may read what. A base and a document each have `readers`: null is everybody with `knowledge:read`, else tokens `role:<role>`, `member:<mbr_…>` and
// `agent:<name>`, of which a reader has to carry one. What restricts a document is its own list and its base's, both. What is hidden is not found.

/** The tokens that a reader carries; null: an admin, or the service itself, who see everything. */
export type ReaderTokens = readonly string[] | null;

/** Everybody in whose sight something has to be; null entries see everything. */
export type Sight = readonly ReaderTokens[];

/** The tokens of whoever calls. A role is matched literally: a builder is no operator here. */
export function readerTokens({ kind, id, role }: Pick<Principal, "kind" | "id" | "role">): ReaderTokens {
  if (kind === "system" || role === "admin") return null;
  return [...(role === null ? [] : [`role:${role}`]), `member:${id}`];
}

/** An agent in a run has its own name alone, whoever dispatched the task. */
export const agentTokens = (agent: string): ReaderTokens => [`agent:${agent}`];

/** The form of a token, for schemas. */
export const readerTokenPattern =
  "^(role:(viewer|operator|builder|evaluator|approver|auditor|admin)|member:mbr_[0-9a-z]{26}|agent:[a-z][a-z0-9-]{0,39})$";

/** Whether someone of these tokens may read what has these lists, such as a document's and its base's. */
export const maySee = (sight: Sight, ...lists: readonly (readonly string[] | null)[]): boolean =>
  sight.every(
    (tokens) => tokens === null || lists.every((list) => list === null || list.some((one) => tokens.includes(one))),
  );

/**
 * The predicate that every list, read, search and citation of documents uses, over the columns with the lists:
 * `.where(visible([readerTokens(ctx.principal)], "d.readers", "b.readers"))`.
 */
export function visible(sight: Sight, ...columns: readonly string[]) {
  const parts = sight.flatMap((tokens) =>
    tokens === null
      ? []
      : columns.map((column) => sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} && ${tokens}::text[])`),
  );
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

/** The same for statements that are text; `bind` adds a parameter and returns how the statement names it (`$7`). */
export function visibleText(sight: Sight, columns: readonly string[], bind: (value: unknown) => string): string {
  const parts = sight.flatMap((tokens) => {
    if (tokens === null) return [];
    const named = `${bind(tokens)}::text[]`;
    return columns.map((column) => `(${column} is null or ${column} && ${named})`);
  });
  return parts.length === 0 ? "true" : `(${parts.join(" and ")})`;
}
