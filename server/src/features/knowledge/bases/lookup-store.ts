import { first, type Row, select } from "../../../db/scoped.ts";
import type { CallContext } from "../../../kernel/context.ts";
import { defineLoader, type QueryContext, type Reader } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { notFound } from "../../../kernel/problems.ts";
import { maySee, readerTokens, type Sight, visible } from "../access.ts";
import { type BaseRow, baseRows } from "./resource.ts";
import { type BaseSettings, standardSettings } from "./schemas.ts";

export interface By {
  readonly author: string;
  readonly at: Date;
}

export interface RecordRow {
  id: string;
  external_id: string;
  fields: Record<string, unknown>;
  version: number;
}

interface Readers {
  readers: string[] | null;
  base_readers: string[] | null;
}

export interface RecordKey {
  readonly base: string;
  readonly id: string;
}

/** Keys are a base's name, which has no space, a space, and the external id. */
const recordByKey = defineLoader<RecordRow & Readers>(
  "record by base and id",
  `select k.key as loader_key, d.id, d.external_id, d.fields, d.version, d.readers, b.readers as base_readers
   from (select key, split_part(key, ' ', 1) as base, substr(key, strpos(key, ' ') + 1) as external_id from unnest($3::text[]) as key) k
   join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.name = k.base
   join documents d on d.organization = $1 and d.environment = $2 and d.base = b.id and d.external_id = k.external_id
   where d.fields is not null`,
);

/** Concurrent look-ups share a statement where the handle can. Hides what `sight` hides. */
export async function findRecord(
  { scope, db }: QueryContext & { readonly db: Reader },
  base: string,
  externalId: string,
  sight: Sight = [],
): Promise<RecordRow | undefined> {
  const found = await db.load(recordByKey, scope, `${base} ${externalId}`);
  if (!found || !maySee(sight, found.readers, found.base_readers)) return undefined;
  return { id: found.id, external_id: found.external_id, fields: found.fields, version: found.version };
}

/** In the order of the keys, in one statement. */
export async function findRecords(ctx: QueryContext, keys: readonly RecordKey[]): Promise<(RecordRow | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await ctx.db.query<RecordRow & { place: number }>(
    `select k.place::int as place, d.id, d.external_id, d.fields, d.version
     from unnest($3::text[], $4::text[]) with ordinality as k(base, external_id, place)
     join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.name = k.base
     join documents d on d.organization = $1 and d.environment = $2 and d.base = b.id and d.external_id = k.external_id
     where d.fields is not null`,
    [ctx.scope.organization, ctx.scope.environment, keys.map(({ base }) => base), keys.map(({ id }) => id)],
  );
  const found = new Map(rows.map(({ place, ...row }) => [place, row]));
  return keys.map((_key, at) => found.get(at + 1));
}

/** What the caller may not read does not exist. */
export type Seeing = QueryContext & Pick<CallContext, "principal">;

export type BaseHead = Pick<
  Row<"knowledge_bases">,
  "id" | "name" | "language" | "readers" | "review_days" | "generation" | "next_generation" | "revision"
>;

/** What PostgreSQL takes as text, and no longer than names and ids are. */
const possibleName = /^[^\0]{1,64}$/u;

/** By id or name: no name begins with `kb_`. */
export async function findBase(ctx: Seeing, idOrName: string): Promise<BaseRow | undefined> {
  if (!possibleName.test(idOrName)) return undefined;
  const seen = visible([readerTokens(ctx.principal)], "r.readers");
  return baseRows.findBy(ctx, (query) =>
    query.where((is) => is.or([is("r.id", "=", idOrName), is("r.name", "=", idOrName)])).where(seen),
  );
}

export interface Index {
  readonly id: string;
  readonly language: string;
  readonly generation: number;
}

export interface HeldBase {
  readonly id: string;
  readonly name: string;
  readonly readers: readonly string[] | null;
  readonly chunk_length: number;
  /** The one that searches read, then the one being built. */
  readonly indexes: readonly [Index, ...Index[]];
}

export function indexesOf({
  id,
  language,
  generation,
  next_generation: next,
  next_language,
}: Pick<Row<"knowledge_bases">, "id" | "language" | "generation" | "next_generation" | "next_language">): [
  Index,
  ...Index[],
] {
  const coming = next === null ? [] : [{ id, language: next_language ?? language, generation: next }];
  return [{ id, language, generation }, ...coming];
}

/** Deletion and the end of a reindex wait until the transaction ends. */
export async function holdBase(ctx: QueryContext, base: string): Promise<HeldBase> {
  const row = await first(
    ctx,
    select(ctx, "knowledge_bases", "b")
      .select(["b.id", "b.name", "b.language", "b.generation", "b.next_generation", "b.next_language", "b.settings"])
      .select("b.readers")
      .where("b.id", "=", base)
      .forShare(),
  );
  if (!row) throw refuse(notFound, "The knowledge base was just deleted.");
  const { chunk_length } = { ...standardSettings, ...(row.settings as Partial<BaseSettings>) };
  return { id: row.id, name: row.name, readers: row.readers, chunk_length, indexes: indexesOf(row) };
}
