import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { scorersOf } from "./gate-store.ts";
import type { ScorerRow } from "./scorer-model.ts";

export type { ScorerRow } from "./scorer-model.ts";

import type { ScorerKind } from "./scorers-schemas.ts";

type Here = CallContext & { readonly db: Reader };

const columns = "name, version, definition, description, samples, author, created_at";
const present = `select distinct on (name) ${columns} from scorers where organization = $1`;

/** The present versions of these scorers; those that there are. */
export async function findScorers(ctx: Here, names: readonly string[]): Promise<ScorerRow[]> {
  return ctx.db.query<ScorerRow>(`${present} and name = any($2::text[]) order by name, version desc`, [
    ctx.scope.organization,
    names,
  ]);
}

/** These versions of scorers; those that exist. */
export async function findScorerVersions(
  ctx: Here,
  pins: readonly { readonly scorer: string; readonly version: number }[],
): Promise<ScorerRow[]> {
  return ctx.db.query<ScorerRow>(
    `select ${columns} from scorers where organization = $1 and (name, version) in (select * from unnest($2::text[], $3::int[]))`,
    [ctx.scope.organization, pins.map(({ scorer }) => scorer), pins.map(({ version }) => version)],
  );
}

/** A page of scorers in their present versions, by name. A key that is narrowed to agents sees those by which gates and runs of its agents judge. */
export async function listScorers(
  ctx: Here,
  kinds: readonly ScorerKind[] | undefined,
  page: PageRequest,
): Promise<ScorerRow[]> {
  return ctx.db.query<ScorerRow>(
    `select * from (${present} and name > $2 order by name, version desc) s
     where ($3::text[] is null or s.definition->>'kind' = any($3)) and ($5::text[] is null or s.name in (${scorersOf("$5")})) order by s.name limit $4`,
    [ctx.scope.organization, page.after?.id ?? "", kinds ?? null, page.take, ctx.principal.agents],
  );
}

export type NewScorer = Pick<ScorerRow, "name" | "version" | "definition" | "description" | "samples">;

/** Adds a version; undefined where somebody else has added it meanwhile. */
export async function insertScorer(
  ctx: WriteContext,
  { name, version, ...scorer }: NewScorer,
): Promise<ScorerRow | undefined> {
  const rows = await ctx.db.query<ScorerRow>(
    `insert into scorers (organization, name, version, definition, description, samples, author) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing returning ${columns}`,
    [
      ctx.scope.organization,
      name,
      version,
      JSON.stringify(scorer.definition),
      scorer.description,
      JSON.stringify(scorer.samples),
      ctx.principal.id,
    ],
  );
  return rows[0];
}
