import type { ReadContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

/** What a look-up needs: whose knowledge, and a handle. Contexts of calls are such, and what machines outside of calls have can be made one. */
export interface Looking {
  readonly scope: Scope;
  readonly db: Statements;
}

/** A record of a knowledge base: a document with fields, known by the id that its own system gave it. */
export interface RecordRow {
  id: string;
  external_id: string;
  fields: Record<string, unknown>;
}

/** A record by where it is kept and how its own system calls it. */
export interface RecordKey {
  /** The base's name. */
  readonly base: string;
  readonly id: string;
}

/** Keys are a base's name, which has no space, a space, and the external id. */
const recordByKey = defineLoader<RecordRow>(
  "record by base and id",
  `select k.key as loader_key, d.id, d.external_id, d.fields
   from (select key, split_part(key, ' ', 1) as base, substr(key, strpos(key, ' ') + 1) as external_id from unnest($3::text[]) as key) k
   join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.name = k.base
   join documents d on d.organization = $1 and d.environment = $2 and d.base = b.id and d.external_id = k.external_id
   where d.fields is not null`,
);

/** A record of the scope's environment by its base's name and its external id. Concurrent look-ups share a statement where the handle can. */
export async function findRecord(
  { scope, db }: Looking,
  base: string,
  externalId: string,
): Promise<RecordRow | undefined> {
  if ("load" in db) {
    const found = await (db as Reader).load(recordByKey, scope, `${base} ${externalId}`);
    return found && { id: found.id, external_id: found.external_id, fields: found.fields };
  }
  const [record] = await findRecords({ scope, db }, [{ base, id: externalId }]);
  return record;
}

/** Many records with one statement: what was found, in the order of the keys; undefined where there is no such record. A key may be given twice. */
export async function findRecords(ctx: Looking, keys: readonly RecordKey[]): Promise<(RecordRow | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await ctx.db.query<RecordRow & { place: number }>(
    `select k.place::int as place, d.id, d.external_id, d.fields
     from unnest($3::text[], $4::text[]) with ordinality as k(base, external_id, place)
     join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.name = k.base
     join documents d on d.organization = $1 and d.environment = $2 and d.base = b.id and d.external_id = k.external_id
     where d.fields is not null`,
    [ctx.scope.organization, ctx.scope.environment, keys.map(({ base }) => base), keys.map(({ id }) => id)],
  );
  const found = new Map(rows.map(({ place, ...row }) => [place, row]));
  return keys.map((_key, at) => found.get(at + 1));
}

/** A knowledge base as it is stored, with what is in it. */
export interface BaseRow {
  id: string;
  name: string;
  description: string;
  language: string;
  author: string;
  created_at: Date;
  /** Microseconds since the epoch: the sort key of lists, which a Date would round. */
  created_us: number;
  documents: number;
  records: number;
  chunks: number;
  /** When a document last came or changed; null: it is empty. */
  updated_at: Date | null;
}

/** Takes organization ($1) and environment ($2). */
const basesHere = `
  select b.id, b.name, b.description, b.language, b.author, b.created_at, (extract(epoch from b.created_at) * 1000000)::bigint as created_us
  from knowledge_bases b where b.organization = $1 and b.environment = $2`;

/** Counts what is in the bases of `h`. */
const withContents = (bases: string): string => `
  select h.*, d.documents, d.records, d.updated_at,
    (select count(*)::int from chunks p where p.organization = $1 and p.environment = $2 and p.base = h.id) as chunks
  from (${bases}) h, lateral (
    select count(*)::int as documents, (count(*) filter (where d.fields is not null))::int as records, max(d.updated_at) as updated_at
    from documents d where d.organization = $1 and d.environment = $2 and d.base = h.id
  ) d`;

/** What names a base in a path: enough to add to it. */
export type BaseHead = Pick<BaseRow, "id" | "name" | "language">;

/** What PostgreSQL takes as text, and no longer than names and ids are. */
const possibleName = /^[^\0]{1,64}$/u;

/** A base of the environment by its id or its name. No name can be mistaken for an id: names do not begin with `kb_`. */
export async function findBase(ctx: Looking, idOrName: string): Promise<BaseHead | undefined> {
  if (!possibleName.test(idOrName)) return undefined;
  const [row] = await ctx.db.query<BaseHead>(
    `select id, name, language from knowledge_bases where organization = $1 and environment = $2 and (id = $3 or name = $3)`,
    [ctx.scope.organization, ctx.scope.environment, idOrName],
  );
  return row;
}

/** A page of the environment's bases, newest first, ties by id. `names`: of these only; null: of all. */
export async function listBases(
  ctx: ReadContext,
  names: readonly string[] | null,
  page: PageRequest,
): Promise<BaseRow[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment, page.take, names];
  if (page.after) values.push(page.after.keys[0], page.after.id);
  const after = page.after ? "and (a.created_us, a.id) < ($5::bigint, $6)" : "";
  const bases = `select a.* from (${basesHere}) a where ($4::text[] is null or a.name = any($4)) ${after} order by a.created_us desc, a.id desc limit $3`;
  return ctx.db.query<BaseRow>(`${withContents(bases)} order by h.created_us desc, h.id desc`, values);
}

/** A base to be made. */
export type NewBase = Pick<BaseRow, "id" | "name" | "description" | "language" | "author"> & { readonly at: Date };

/** Makes a base, empty; undefined where the environment has one of this name. */
export async function insertBase(ctx: Looking, base: NewBase): Promise<BaseRow | undefined> {
  const { organization, environment } = ctx.scope;
  const made = await ctx.db.query<object>(
    `insert into knowledge_bases (organization, environment, id, name, description, language, author, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (organization, environment, name) do nothing returning id`,
    [organization, environment, base.id, base.name, base.description, base.language, base.author, base.at],
  );
  if (made.length === 0) return undefined;
  const [row] = await ctx.db.query<BaseRow>(withContents(`${basesHere} and b.id = $3`), [
    organization,
    environment,
    base.id,
  ]);
  return row;
}
