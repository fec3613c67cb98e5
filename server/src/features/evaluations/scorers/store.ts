import { all, select, sql } from "../../../db/scoped.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { anyOf } from "../datasets/store.ts";
import { scorersOf } from "../gates/store.ts";
import type { ScorerRow } from "./rules.ts";
import type { ScorerKind } from "./schemas.ts";

/** In their present versions. */
export const findScorers = (ctx: QueryContext, names: readonly string[]): Promise<ScorerRow[]> => {
  const present = select(ctx, "scorers", "s")
    .selectAll()
    .distinctOn("s.name")
    .orderBy("s.name")
    .orderBy("s.version", "desc");
  return all(ctx, present.where("s.name", "=", anyOf(names)).$castTo<ScorerRow>());
};

/** In these versions. */
export function findScorerVersions(
  ctx: QueryContext,
  pins: readonly { readonly scorer: string; readonly version: number }[],
): Promise<ScorerRow[]> {
  const [names, versions] = [pins.map(({ scorer }) => scorer), pins.map(({ version }) => version)];
  const pinned = sql<boolean>`(s.name, s.version) in (select * from unnest(${names}::text[], ${versions}::int[]))`;
  return all(ctx, select(ctx, "scorers", "s").selectAll().where(pinned).$castTo<ScorerRow>());
}

/** Present versions by name. A narrowed key sees those that gates and runs of its agents use. */
export async function listScorers(
  ctx: QueryContext & Pick<CallContext, "principal">,
  { kind }: { readonly kind?: readonly ScorerKind[] },
  page: PageRequest,
): Promise<ScorerRow[]> {
  return ctx.db.query<ScorerRow>(
    `select * from (select distinct on (name) * from scorers where organization = $1 and name > $2 order by name, version desc) s
     where ($3::text[] is null or s.definition->>'kind' = any($3)) and ($5::text[] is null or s.name in (${scorersOf("$5")})) order by s.name limit $4`,
    [ctx.scope.organization, page.after?.id ?? "", kind ?? null, page.take, ctx.principal.agents],
  );
}
