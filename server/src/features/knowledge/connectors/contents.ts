import type { WriteContext } from "../../../kernel/context.ts";
import type { Writer } from "../deciders.ts";
import { changeDetails, type Outcome, putDocuments } from "../document-store.ts";
import { documentOf } from "../model.ts";

/** A row of a database: text, fields, or both. */
export interface RecordContents {
  readonly external_id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Left out: as they are. */
  readonly readers?: readonly string[] | null;
  readonly connector: string;
  readonly url: string | null;
  readonly title: string;
  readonly text: string | null;
  readonly fields: Record<string, unknown> | null;
}

/** Stores records, which need no parsing and are found at once. In their order. */
export async function putRecords(
  ctx: WriteContext,
  base: { readonly id: string },
  records: readonly RecordContents[],
  by: Writer,
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
  const stored = await putDocuments(ctx, base, documents, by);
  const { connector } = records[0] as RecordContents;
  await ctx.db.query(
    `update documents d set source = 'connector', connector = $3, metadata = g.metadata::jsonb, url = g.url
     from unnest($4::text[], $5::text[], $6::text[]) as g(id, metadata, url)
     where d.organization = $1 and d.environment = $2 and d.id = g.id`,
    [
      ...[ctx.scope.organization, ctx.scope.environment, connector],
      stored.map(({ row }) => row.id),
      records.map(({ metadata }) => JSON.stringify(metadata)),
      records.map(({ url }) => url),
    ],
  );
  const told = records.flatMap(({ readers }, at) =>
    readers === undefined ? [] : [{ id: (stored[at] as (typeof stored)[number]).row.id, readers }],
  );
  await changeDetails(ctx, told);
  return stored.map(({ row, outcome }) => ({ document_id: row.id, outcome }));
}
