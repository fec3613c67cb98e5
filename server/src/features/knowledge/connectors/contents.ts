import type { WriteContext } from "../../../kernel/context.ts";
import { type Outcome, putDocuments } from "../document-store.ts";
import { documentOf } from "../model.ts";
import type { BaseHead, Looking } from "../store.ts";

// What connectors need of documents. `ingestContents` and `removeDocuments` are as small as a text document lets them be: the merge takes those of `ingest/` and
// `document-store.ts` in their place.

export type Storing = Looking &
  Pick<WriteContext, "newId" | "now" | "enqueue"> & { principal: { readonly id: string } };

/** The base that documents go to, as `findBase` finds it. */
export type TargetBase = BaseHead;

/** In whose name documents are removed, and when. */
export interface By {
  readonly author: string;
  readonly at: Date;
}

export interface Contents {
  readonly external_id: string;
  readonly title: string | null;
  readonly source: "connector";
  readonly file_name: string | null;
  readonly media_type: string | null;
  readonly bytes: Uint8Array;
  readonly url: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly readers: readonly string[] | null;
  readonly connector: string;
}

export async function ingestContents(
  ctx: Storing,
  base: TargetBase,
  contents: Contents,
): Promise<{ document_id: string; outcome: Outcome }> {
  const text = new TextDecoder().decode(contents.bytes).replaceAll("\u0000", "");
  const record = { ...contents, title: contents.title ?? contents.file_name ?? "", text, fields: null };
  const [stored] = await putRecords(ctx, base, [record]);
  return stored as { document_id: string; outcome: Outcome };
}

export async function removeDocuments(
  ctx: Looking,
  base: TargetBase,
  ids: readonly string[],
  by: By,
): Promise<{ id: string }[]> {
  const these = [ctx.scope.organization, ctx.scope.environment, base.id, ids];
  await ctx.db.query(
    `insert into deleted_documents (organization, environment, id, base, external_id, digest, chunks, deleted_by, deleted_at)
     select organization, environment, id, base, external_id, digest, 0, $5, $6 from documents
     where organization = $1 and environment = $2 and base = $3 and id = any($4::text[])`,
    [...these, by.author, by.at],
  );
  await ctx.db.query(
    "delete from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[])",
    these,
  );
  return ctx.db.query(
    "delete from documents where organization = $1 and environment = $2 and base = $3 and id = any($4::text[]) returning id",
    these,
  );
}

/** A row of a database: text, fields, or both. */
export interface RecordContents extends Pick<Contents, "external_id" | "metadata" | "readers" | "connector" | "url"> {
  readonly title: string;
  readonly text: string | null;
  readonly fields: Record<string, unknown> | null;
}

/** Stores records, which need no parsing and are found at once. In their order. */
export async function putRecords(
  ctx: Storing,
  base: TargetBase,
  records: readonly RecordContents[],
): Promise<{ document_id: string; outcome: Outcome }[]> {
  if (records.length === 0) return [];
  const documents = records.map(({ external_id, title, text, fields }) =>
    documentOf(ctx, {
      external_id,
      title: title.slice(0, 500),
      ...(text === null ? {} : { text }),
      ...(fields === null ? {} : { fields }),
    }),
  );
  const stored = await putDocuments(ctx, base, documents, { author: ctx.principal.id, at: new Date(ctx.now) });
  const { connector, readers } = records[0] as RecordContents;
  await ctx.db.query(
    `update documents d set source = 'connector', connector = $3, readers = $4::text[], metadata = g.metadata::jsonb, url = g.url
     from unnest($5::text[], $6::text[], $7::text[]) as g(id, metadata, url)
     where d.organization = $1 and d.environment = $2 and d.id = g.id`,
    [
      ...[ctx.scope.organization, ctx.scope.environment, connector, readers],
      stored.map(({ row }) => row.id),
      records.map(({ metadata }) => JSON.stringify(metadata)),
      records.map(({ url }) => url),
    ],
  );
  return stored.map(({ row, outcome }) => ({ document_id: row.id, outcome }));
}
