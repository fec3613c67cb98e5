import type { CallContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { BaseFreshness } from "../agents/public.ts";

/** How fresh those of the bases are that the environment has. */
export async function baseFreshness(
  { scope, db }: Pick<CallContext, "scope"> & { readonly db: Statements },
  names: readonly string[],
): Promise<readonly BaseFreshness[]> {
  if (names.length === 0) return [];
  return db.query<BaseFreshness>(
    `select b.name, d.documents, d.failed, d.stale,
       coalesce((select array_agg(c.name order by c.name) from knowledge_connectors c where c.organization = b.organization and c.environment = b.environment
         and c.base = b.id and (c.failures > 0 or c.state = 'paused')), '{}') as connectors
     from knowledge_bases b
     cross join lateral (
       select count(*)::int as documents, count(*) filter (where d.state = 'failed')::int as failed,
         count(*) filter (where coalesce(d.review_at, greatest(d.updated_at, d.reviewed_at) + b.review_days * interval '1 day') <= now())::int as stale
       from documents d where d.organization = b.organization and d.environment = b.environment and d.base = b.id) d
     where b.organization = $1 and b.environment = $2 and b.name = any($3::text[]) order by b.name`,
    [scope.organization, scope.environment, names],
  );
}
