import { all, type Changes, first, insert, type NewRow, remove, rowsOf, select, sql, update } from "../../db/scoped.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import { readerTokens, type Sight, visible } from "./access.ts";
import { reviewDue } from "./document-store.ts";
import { reindexGaveUp } from "./ingest/reindex-base-store.ts";
import type { Looking, Seeing } from "./store.ts";

/** A knowledge base with what is in it. `updated_at` is when a document last changed; `created_us` has the microseconds that a Date would round. */
export type BaseRow = Awaited<ReturnType<typeof listBases>>[number];

const createdMicroseconds = sql<number>`(extract(epoch from b.created_at) * 1000000)::bigint`;
const inState = (state: string) => sql<number>`(count(*) filter (where d.state = ${state}))::int`;

/** Bases of the environment with counts of what is in them, within sight. */
const bases = (ctx: Looking, sight: Sight) =>
  select(ctx, "knowledge_bases", "b")
    .select(["b.id", "b.name", "b.description", "b.author", "b.created_at", "b.readers", "b.settings", "b.review_days"])
    .select(["b.version_days", "b.embedding", "b.revision", "b.generation", "b.next_generation"])
    .select(sql<string>`coalesce(b.next_language, b.language)`.as("language"))
    .select([createdMicroseconds.as("created_us"), sql<boolean>`${sql.raw(reindexGaveUp("b"))}`.as("reindex_gave_up")])
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom(rowsOf(ctx, "documents", "d"))
          .whereRef("d.base", "=", "b.id")
          .where(visible(sight, "d.readers"))
          .select([
            sql<number>`count(*)::int`.as("documents"),
            sql<number>`(count(*) filter (where d.fields is not null))::int`.as("records"),
            sql<Date | null>`max(d.updated_at)`.as("updated_at"),
            inState("queued").as("queued"),
            inState("parsing").as("parsing"),
            inState("indexing").as("indexing"),
            inState("indexed").as("indexed"),
            inState("failed").as("failed"),
            sql<number>`(count(*) filter (where ${reviewDue} <= now()))::int`.as("stale"),
          ])
          .as("c"),
      (join) => join.onTrue(),
    )
    .select(["c.documents", "c.records", "c.updated_at", "c.stale"])
    .select(["c.queued", "c.parsing", "c.indexing", "c.indexed", "c.failed"])
    .select((of) =>
      of
        .selectFrom(rowsOf(ctx, "chunks", "p"))
        .whereRef("p.base", "=", "b.id")
        .whereRef("p.generation", "=", "b.generation")
        .$if(!sight.every((one) => one === null), (q) => q.where("p.document", "not in", hiddenFrom(ctx, sight)))
        .select(sql<number>`count(*)::int`.as("n"))
        .$asScalar()
        .$notNull()
        .as("chunks"),
    );

/** Documents that somebody may not read: few of them, mostly. */
const hiddenFrom = (ctx: Looking, sight: Sight) =>
  select(ctx, "documents", "h")
    .select("h.id")
    .where(sql<boolean>`not ${visible(sight, "h.readers")}`);

/** A base with what is in it, within sight; all of it unless told. */
export const readBaseRow = (ctx: Looking, id: string, sight: Sight = []): Promise<BaseRow | undefined> =>
  first(ctx, bases(ctx, sight).where("b.id", "=", id));

/** A page of bases that the caller may read, newest first, ties by id. `names`: of these only; null: of all. */
export async function listBases(ctx: Seeing, names: readonly string[] | null, { after, take }: PageRequest) {
  const sight = [readerTokens(ctx.principal)];
  const page = select(ctx, "knowledge_bases", "b")
    .select("b.id")
    .where(visible(sight, "b.readers"))
    .$if(names !== null, (q) => q.where(sql<boolean>`b.name = any(${names}::text[])`))
    .$if(after !== undefined, (q) =>
      q.where(sql<boolean>`(${createdMicroseconds}, b.id) < (${after?.keys[0]}::bigint, ${after?.id})`),
    )
    .orderBy("b.created_at", "desc")
    .orderBy("b.id", "desc")
    .limit(take);
  const counted = bases(ctx, sight).where("b.id", "in", page); // only what is on the page
  return all(ctx, counted.orderBy("b.created_at", "desc").orderBy("b.id", "desc"));
}

type NewBase = NewRow<"knowledge_bases">;

/** Makes an empty base; undefined where the environment has one of this name. */
export async function insertBase(ctx: Looking, base: NewBase): Promise<BaseRow | undefined> {
  const made = insert(ctx, "knowledge_bases", base).onConflict((on) =>
    on.columns(["organization", "environment", "name"]).doNothing(),
  );
  return (await first(ctx, made.returning("id"))) && readBaseRow(ctx, base.id);
}

/** Locks a base until the transaction ends; undefined where it was just deleted. */
export async function lockBase(ctx: Looking, id: string) {
  return first(ctx, select(ctx, "knowledge_bases", "b").selectAll("b").where("b.id", "=", id).forUpdate());
}

export async function updateBase(ctx: Looking, id: string, changes: Changes<"knowledge_bases">): Promise<void> {
  const { revision: _revision, ...rest } = changes as Record<string, unknown>;
  await all(
    ctx,
    update(ctx, "knowledge_bases")
      .set({ ...rest, revision: sql<number>`revision + 1` })
      .where("id", "=", id),
  );
}

/** Whether another base of the environment has a name. */
export async function isTaken(ctx: Looking, name: string, by: string): Promise<boolean> {
  const other = select(ctx, "knowledge_bases", "b").select("b.id").where("b.name", "=", name).where("b.id", "<>", by);
  return (await first(ctx, other)) !== undefined;
}

/** What else a base holds that the caller may read. */
export async function readHoldings(ctx: Seeing, base: string) {
  const seen = visible([readerTokens(ctx.principal)], "d.readers");
  const documents = select(ctx, "documents", "d").where("d.base", "=", base).where(seen);
  const [files, versions] = await Promise.all([
    first(
      ctx,
      documents.select([
        sql<number>`coalesce(sum(d.pages), 0)::int`.as("pages"),
        sql<number>`coalesce(sum(d.size), 0)::bigint`.as("bytes"),
      ]),
    ),
    first(
      ctx,
      select(ctx, "document_versions", "v")
        .where("v.document", "in", documents.select("d.id"))
        .select(sql<number>`count(*)::int`.as("versions")),
    ),
  ]);
  return { pages: files?.pages ?? 0, bytes: Number(files?.bytes ?? 0), versions: versions?.versions ?? 0 };
}

/** Takes a base away from everybody at once: what is in it has no base any more, and is removed in steps. */
export async function deleteBaseRow(ctx: Looking, base: BaseRow, by: { author: string; at: Date }): Promise<void> {
  await all(ctx, remove(ctx, "knowledge_bases").where("id", "=", base.id));
  await all(
    ctx,
    insert(ctx, "deleted_bases", {
      id: base.id,
      name: base.name,
      readers: base.readers,
      documents: base.documents,
      chunks: base.chunks,
      deleted_by: by.author,
      deleted_at: by.at,
    }),
  );
}

/** Those of these names that bases of the environment have, also bases that the caller may not read. */
export async function takenBases(ctx: Looking, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const query = select(ctx, "knowledge_bases", "b")
    .select("b.name")
    .where("b.name", "in", [...names]);
  return (await all(ctx, query)).map(({ name }) => name);
}
