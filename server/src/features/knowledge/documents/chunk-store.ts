import { all, first, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { readerTokens, visible } from "../access.ts";
import { type BaseHead, holdBase, type Index, type Seeing } from "../bases/lookup-store.ts";
import { type ChunkKey, disableChunk, replaceChunk } from "../search/index-store.ts";
import type { CitedChunk } from "./citations.ts";
import { findCounterpart } from "./corrections.ts";
import { noteCorrector, type Writer } from "./deciders.ts";
import { keepFormerChunks } from "./version-store.ts";

export type ChunkRow = Awaited<ReturnType<typeof listChunks>>[number];

const chunksOf = (ctx: QueryContext, { id, generation }: Pick<BaseHead, "id" | "generation">, document: string) =>
  select(ctx, "chunks", "c")
    .select(["c.document", "c.generation", "c.number", "c.version", "c.revision", "c.title", "c.text", "c.kind"])
    .select(["c.headings", "c.first_page", "c.last_page", "c.starts_at", "c.ends_at", "c.disabled", "c.data_classes"])
    .where("c.base", "=", id)
    .where("c.document", "=", document)
    .where("c.generation", "=", generation);

export const listChunks = (ctx: QueryContext, base: BaseHead, document: string, { after, take }: PageRequest) =>
  all(
    ctx,
    chunksOf(ctx, base, document)
      .where("c.number", ">", Number(after?.id ?? 0))
      .orderBy("c.number")
      .limit(take),
  );

export const findChunk = (ctx: QueryContext, base: BaseHead, document: string, number: number) =>
  first(ctx, chunksOf(ctx, base, document).where("c.number", "=", number));

/** Keeps the former text for citations. Undefined: it was just replaced. */
export async function changeChunk(
  ctx: QueryContext,
  base: BaseHead,
  given: Pick<ChunkRow, "document" | "number" | "revision" | "version">,
  change: { readonly text?: string; readonly disabled?: boolean; readonly data_classes?: string[] },
  by: Writer,
): Promise<ChunkRow | undefined> {
  const { document, number } = given;
  const key = { document, number, generation: base.generation };
  const { indexes } = await holdBase(ctx, base.id);
  if (indexes[0].generation !== base.generation) return undefined;
  const locked = await first(ctx, chunksOf(ctx, base, document).where("c.number", "=", number).forUpdate());
  if (!locked || locked.version !== given.version || locked.revision !== given.revision) return undefined;
  const corrected = change.text !== undefined && change.text !== locked.text;
  if (corrected) {
    await keepFormerChunks(ctx, base.id, [document], key);
    await noteCorrector(ctx, document, number, by);
  }
  const [, next] = indexes;
  const there = next && (await findCounterpart(ctx, next, key));
  const keys: [Index, ChunkKey][] = [[indexes[0], key]];
  if (next && there) keys.push([next, { document, number: there, generation: next.generation }]);
  for (const [index, one] of keys) {
    if (corrected) {
      await replaceChunk(ctx, index, one, { text: change.text });
      await setDataClasses(ctx, index, one, change.data_classes ?? []);
    }
    if (change.disabled !== undefined) await disableChunk(ctx, index, one, change.disabled);
  }
  return findChunk(ctx, base, document, number);
}

export type CitedRow = NonNullable<Awaited<ReturnType<typeof findCited>>>;

export async function findCited(ctx: Seeing, cited: CitedChunk) {
  const members = ["document", "generation", "number", "version", "revision", "title", "text", "kind"] as const;
  const places = ["headings", "first_page", "last_page", "starts_at", "ends_at", "data_classes", "disabled"] as const;
  const from = (table: "chunks" | "former_chunks") =>
    select(ctx, table as "chunks", "c")
      .innerJoin(rowsOf(ctx, "documents", "d"), "d.id", "c.document")
      .innerJoin(rowsOf(ctx, "knowledge_bases", "b"), "b.id", "d.base")
      .select(members.map((name) => `c.${name}` as const))
      .select(places.map((name) => `c.${name}` as const))
      .select([
        "d.base",
        "b.name as base_name",
        "d.external_id",
        "d.title as document_title",
        "d.version as current_version",
      ])
      .select(["d.file_name", "d.url"])
      .select(
        table === "chunks"
          ? [
              sql<Date | null>`null::timestamptz`.as("replaced_at"),
              sql<boolean>`c.generation = b.generation`.as("current"),
            ]
          : [sql<Date | null>`c.replaced_at`.as("replaced_at"), sql<boolean>`false`.as("current")],
      )
      .where("c.document", "=", cited.document)
      .where("c.generation", "=", cited.generation)
      .where("c.version", "=", cited.version)
      .where("c.number", "=", cited.number)
      .where("c.revision", "=", cited.revision)
      .where(visible([readerTokens(ctx.principal)], "d.readers", "b.readers"));
  return (await first(ctx, from("chunks"))) ?? first(ctx, from("former_chunks"));
}

async function setDataClasses(
  { scope, db }: QueryContext,
  base: { id: string },
  key: ChunkKey,
  classes: string[],
): Promise<void> {
  const chunksHere =
    "c.organization = $1 and c.environment = $2 and c.base = $3 and c.document = $4 and c.generation = $5";
  const values = [scope.organization, scope.environment, base.id, key.document, key.generation];
  await db.query(`update chunks c set data_classes = $7::text[] where ${chunksHere} and c.number = $6`, [
    ...values,
    key.number,
    classes,
  ]);
  await db.query(
    `update documents d set data_classes = coalesce((select array_agg(distinct k order by k) from chunks c, unnest(c.data_classes) k where ${chunksHere}), '{}')
     where d.organization = $1 and d.environment = $2 and d.base = $3 and d.id = $4`,
    values,
  );
}
