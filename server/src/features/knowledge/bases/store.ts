import { all, first, insert, type NewRow, remove, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { BaseFreshness } from "../../agents/public.ts";
import { readerTokens, type Sight, visible } from "../access.ts";
import { reviewDue } from "../documents/store.ts";
import { reindexGaveUp } from "../ingest/generation-store.ts";
import type { Seeing } from "./lookup-store.ts";
import type { BaseCounts, BaseRow, CountedBase } from "./resource.ts";

const inState = (state: string) => sql<number>`(count(*) filter (where d.state = ${state}))::int`;

const counts = (ctx: QueryContext, sight: Sight) =>
  select(ctx, "knowledge_bases", "b")
    .select(["b.id", sql<boolean>`${sql.raw(reindexGaveUp("b"))}`.as("reindex_gave_up")])
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

const hiddenFrom = (ctx: QueryContext, sight: Sight) =>
  select(ctx, "documents", "h")
    .select("h.id")
    .where(sql<boolean>`not ${visible(sight, "h.readers")}`);

/** Bases with what they hold, within sight. */
export async function countBases(
  ctx: Seeing,
  bases: readonly BaseRow[],
  sight: Sight = [readerTokens(ctx.principal)],
): Promise<CountedBase[]> {
  if (bases.length === 0) return [];
  const ids = bases.map(({ id }) => id);
  const counted = await all(ctx, counts(ctx, sight).where("b.id", "in", ids));
  const byId = new Map(counted.map((one) => [one.id, one]));
  return bases.map((base) => ({ ...base, ...(byId.get(base.id) ?? nothing) }));
}

const nothing: BaseCounts = {
  documents: 0,
  records: 0,
  chunks: 0,
  updated_at: null,
  queued: 0,
  parsing: 0,
  indexing: 0,
  indexed: 0,
  failed: 0,
  stale: 0,
  reindex_gave_up: false,
};

export async function isTaken(ctx: QueryContext, name: string, by: string): Promise<boolean> {
  const other = select(ctx, "knowledge_bases", "b").select("b.id").where("b.name", "=", name).where("b.id", "<>", by);
  return (await first(ctx, other)) !== undefined;
}

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

/** For a base that no call makes. */
export const insertBase = async (ctx: QueryContext, base: NewRow<"knowledge_bases">): Promise<void> => {
  await all(ctx, insert(ctx, "knowledge_bases", base));
};

/** Hides the base at once; its contents are removed in steps. */
export async function deleteBaseRow(
  ctx: QueryContext,
  base: CountedBase,
  by: { author: string; at: Date },
): Promise<void> {
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

/** Includes bases that the caller may not read. */
export async function takenBases(ctx: QueryContext, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const query = select(ctx, "knowledge_bases", "b")
    .select("b.name")
    .where("b.name", "in", [...names]);
  return (await all(ctx, query)).map(({ name }) => name);
}

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
