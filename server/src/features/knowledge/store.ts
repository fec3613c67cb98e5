import { all, first, insert, type NewRow, type Row, rowsOf, select, sql } from "../../db/scoped.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { maySee, type Sight } from "./access.ts";

/** A scope and a database handle, such as the context of a call. */
export interface Looking {
  readonly scope: Scope;
  readonly db: Statements;
}

/** A document with fields, known by its external id. */
export interface RecordRow {
  id: string;
  external_id: string;
  fields: Record<string, unknown>;
}

/** Who may read a record: the lists of the document and of its base. */
interface Readers {
  readers: string[] | null;
  base_readers: string[] | null;
}

/** A record by its base's name and its external id. */
export interface RecordKey {
  readonly base: string;
  readonly id: string;
}

/** Keys are a base's name, which has no space, a space, and the external id. */
const recordByKey = defineLoader<RecordRow & Readers>(
  "record by base and id",
  `select k.key as loader_key, d.id, d.external_id, d.fields, d.readers, b.readers as base_readers
   from (select key, split_part(key, ' ', 1) as base, substr(key, strpos(key, ' ') + 1) as external_id from unnest($3::text[]) as key) k
   join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.name = k.base
   join documents d on d.organization = $1 and d.environment = $2 and d.base = b.id and d.external_id = k.external_id
   where d.fields is not null`,
);

/** Concurrent look-ups share a statement where the handle can. With `sight`, what that hides is not there. */
export async function findRecord(
  { scope, db }: Looking & { readonly db: Reader },
  base: string,
  externalId: string,
  sight: Sight = [],
): Promise<RecordRow | undefined> {
  const found = await db.load(recordByKey, scope, `${base} ${externalId}`);
  if (!found || !maySee(sight, found.readers, found.base_readers)) return undefined;
  return { id: found.id, external_id: found.external_id, fields: found.fields };
}

/** Records in the order of the keys, with one statement. A key may be given twice. */
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

/** What names a base in a path: enough to add to it. */
export type BaseHead = Pick<Row<"knowledge_bases">, "id" | "name" | "language">;

/** A knowledge base with what is in it. `updated_at` is when a document last changed; `created_us` has the microseconds that a Date would round. */
export type BaseRow = Awaited<ReturnType<typeof listBases>>[number];

/** Bases of the environment with counts of what is in them. */
const bases = (ctx: Looking) =>
  select(ctx, "knowledge_bases", "b")
    .select(["b.id", "b.name", "b.description", "b.language", "b.author", "b.created_at"])
    .select(createdMicroseconds.as("created_us"))
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom(rowsOf(ctx, "documents", "d"))
          .whereRef("d.base", "=", "b.id")
          .select([
            sql<number>`count(*)::int`.as("documents"),
            sql<number>`(count(*) filter (where d.fields is not null))::int`.as("records"),
            sql<Date | null>`max(d.updated_at)`.as("updated_at"),
          ])
          .as("c"),
      (join) => join.onTrue(),
    )
    .select(["c.documents", "c.records", "c.updated_at"])
    .select((of) =>
      of
        .selectFrom(rowsOf(ctx, "chunks", "p"))
        .whereRef("p.base", "=", "b.id")
        .select(sql<number>`count(*)::int`.as("n"))
        .$asScalar()
        .$notNull()
        .as("chunks"),
    );

const createdMicroseconds = sql<number>`(extract(epoch from b.created_at) * 1000000)::bigint`;

/** What PostgreSQL takes as text, and no longer than names and ids are. */
const possibleName = /^[^\0]{1,64}$/u;

/** A base of the environment by its id or its name. No name can be mistaken for an id: names do not begin with `kb_`. */
export async function findBase(ctx: Looking, idOrName: string): Promise<BaseHead | undefined> {
  if (!possibleName.test(idOrName)) return undefined;
  const named = select(ctx, "knowledge_bases", "b").select(["b.id", "b.name", "b.language"]);
  return first(
    ctx,
    named.where((is) => is.or({ "b.id": idOrName, "b.name": idOrName })),
  );
}

/** A page of bases, newest first, ties by id. `names`: of these only; null: of all. */
export async function listBases(ctx: ReadContext, names: readonly string[] | null, { after, take }: PageRequest) {
  const page = select(ctx, "knowledge_bases", "b")
    .select("b.id")
    .$if(names !== null, (q) => q.where(sql<boolean>`b.name = any(${names}::text[])`))
    .$if(after !== undefined, (q) =>
      q.where(sql<boolean>`(${createdMicroseconds}, b.id) < (${after?.keys[0]}::bigint, ${after?.id})`),
    )
    .orderBy("b.created_at", "desc")
    .orderBy("b.id", "desc")
    .limit(take);
  const counted = bases(ctx).where("b.id", "in", page); // only what is on the page
  return all(ctx, counted.orderBy("b.created_at", "desc").orderBy("b.id", "desc"));
}

type NewBase = NewRow<"knowledge_bases">;

/** Makes an empty base; undefined where the environment has one of this name. */
export async function insertBase(ctx: Looking, base: NewBase): Promise<BaseRow | undefined> {
  const made = insert(ctx, "knowledge_bases", base).onConflict((on) =>
    on.columns(["organization", "environment", "name"]).doNothing(),
  );
  return (await first(ctx, made.returning("id"))) && first(ctx, bases(ctx).where("b.id", "=", base.id));
}
