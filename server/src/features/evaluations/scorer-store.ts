import { all, first, insert, select, sql } from "../../db/scoped.ts";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { anyOf, type Here } from "./dataset-store.ts";
import { scorersOf } from "./gate-store.ts";
import type { ScorerRow } from "./scorer-model.ts";
import type { ScorerKind } from "./scorers-schemas.ts";

/** Those of these scorers that exist, in their present versions. */
export const findScorers = (ctx: Here, names: readonly string[]): Promise<ScorerRow[]> => {
  const present = select(ctx, "scorers", "s")
    .selectAll()
    .distinctOn("s.name")
    .orderBy("s.name")
    .orderBy("s.version", "desc");
  return all(ctx, present.where("s.name", "=", anyOf(names)).$castTo<ScorerRow>());
};

/** Those of these versions of scorers that exist. */
export function findScorerVersions(
  ctx: Here,
  pins: readonly { readonly scorer: string; readonly version: number }[],
): Promise<ScorerRow[]> {
  const [names, versions] = [pins.map(({ scorer }) => scorer), pins.map(({ version }) => version)];
  const pinned = sql<boolean>`(s.name, s.version) in (select * from unnest(${names}::text[], ${versions}::int[]))`;
  return all(ctx, select(ctx, "scorers", "s").selectAll().where(pinned).$castTo<ScorerRow>());
}

/** A page of scorers in their present versions, by name. A key that is narrowed to agents sees those that gates and runs of its agents use. */
export async function listScorers(
  ctx: Here & Pick<CallContext, "principal">,
  { kind }: { readonly kind?: readonly ScorerKind[] },
  page: PageRequest,
): Promise<ScorerRow[]> {
  return ctx.db.query<ScorerRow>(
    `select * from (select distinct on (name) * from scorers where organization = $1 and name > $2 order by name, version desc) s
     where ($3::text[] is null or s.definition->>'kind' = any($3)) and ($5::text[] is null or s.name in (${scorersOf("$5")})) order by s.name limit $4`,
    [ctx.scope.organization, page.after?.id ?? "", kind ?? null, page.take, ctx.principal.agents],
  );
}

/** Adds a version; undefined if somebody else has added it meanwhile. */
export function insertScorer(
  ctx: WriteContext,
  { definition, samples, ...scorer }: Omit<ScorerRow, "author" | "created_at">,
): Promise<ScorerRow | undefined> {
  const json = { definition: JSON.stringify(definition), samples: JSON.stringify(samples) };
  const added = insert(ctx, "scorers", { ...scorer, ...json, author: ctx.principal.id });
  return first(
    ctx,
    added
      .onConflict((on) => on.doNothing())
      .returningAll()
      .$castTo<ScorerRow>(),
  );
}
