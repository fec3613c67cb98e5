import { admits } from "../../../db/stored-events.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { readerTokens } from "../access.ts";

/**
 * SQL: whether a caller may read a question `q`: they asked it, or all its lists of readers admit them. A key that is narrowed to agents reads what those asked.
 * `bind` adds a parameter and returns how the statement names it.
 */
export function readableQuestion(principal: Principal, bind: (value: unknown) => string): string {
  const admitted = admits("q.readers", [readerTokens(principal)], bind);
  const own = `(q.asked_by = ${bind(principal.id)} or ${admitted})`;
  return principal.agents === null ? own : `(q.agent = any(${bind(principal.agents)}::text[]) and ${own})`;
}
