import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

// Effects by their origins, as the workflows whose steps the origins are ask for them.

/** SQL: whether an origin, or something within it, holds a write of which nobody knows what became of it. Its row `scoped` has organization and environment. */
export const isInDoubt = (origin: string, scoped: string): string => `exists (select from effects e
  where e.organization = ${scoped}.organization and e.environment = ${scoped}.environment and e.origin >= ${origin} and e.origin < ${origin} || '!'
    and (e.origin = ${origin} or starts_with(e.origin, ${origin} || ' ')) and e.outcome = 'unknown' and not e.closed)`;

/** SQL: the effect `e` is of the origin `o`, or of something within it: its name, or that and a space. The range is what the index is read by. */
const within = `e.organization = $1 and e.environment = $2 and e.origin >= o.origin and e.origin < o.origin || '!'
  and (e.origin = o.origin or starts_with(e.origin, o.origin || ' '))`;

/**
 * From now on these answer no call: their origins were undone, or people asked for other ones in their place (`done`: of what is in doubt there can be no other).
 * `origins` include what lies within.
 */
export async function closeEffects(
  { scope, db }: WriteContext,
  origins: readonly string[],
  which: "all" | "done",
): Promise<void> {
  if (origins.length === 0) return;
  await db.query(
    `update effects e set closed = true, updated_at = now() from unnest($3::text[]) o (origin) where ${within} and not e.closed${which === "done" ? " and e.outcome = 'done'" : ""}`,
    [scope.organization, scope.environment, origins],
  );
}

/** Of these origins, those that hold a write of which nobody knows what became of it (`unknown`), or one that is done and stands. */
export async function originsWith(
  { scope, db }: { readonly scope: Scope; readonly db: Statements },
  origins: readonly string[],
  outcome: "unknown" | "done",
): Promise<string[]> {
  if (origins.length === 0) return [];
  const rows = await db.query<{ origin: string }>(
    `select o.origin from unnest($3::text[]) o (origin)
     where exists (select from effects e where ${within} and e.outcome = $4 and not e.closed)`,
    [scope.organization, scope.environment, origins, outcome],
  );
  return rows.map(({ origin }) => origin);
}
