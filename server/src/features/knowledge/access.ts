import { sql } from "../../db/scoped.ts";
import type { Sight } from "../../kernel/readers.ts";

export { agentTokens, maySee, type ReaderTokens, readerTokens, type Sight } from "../../kernel/readers.ts";

// Who may read what. A base and a document each have `readers`: null is everybody with `knowledge:read`, else tokens `role:<role>`, `member:<mbr_…>`,
// `team:<name>` and `agent:<name>`, of which a reader has to carry one. What restricts a document is its own list and its base's, both. What is hidden is not found.

export const readerTokenPattern =
  "^(role:(viewer|operator|builder|evaluator|approver|auditor|admin)|member:mbr_[0-9a-z]{26}|(team|agent):[a-z][a-z0-9-]{0,39})$";

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

/** For SQL as text; `bind` adds a parameter and returns its name (`$7`). */
export function visibleText(sight: Sight, columns: readonly string[], bind: (value: unknown) => string): string {
  const parts = sight.flatMap((tokens) => {
    if (tokens === null) return [];
    const named = `${bind(tokens)}::text[]`;
    return columns.map((column) => `(${column} is null or ${column} && ${named})`);
  });
  return parts.length === 0 ? "true" : `(${parts.join(" and ")})`;
}
