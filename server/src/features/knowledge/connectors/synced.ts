import { createHash } from "node:crypto";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Writer } from "../documents/deciders.ts";
import { documentOf } from "../documents/rules.ts";
import { changeDetails, type Outcome, putDocuments } from "../documents/store.ts";
import { ingestContents } from "../ingest/ingest.ts";
import { soundText, soundValue } from "../ingest/pieces.ts";
import { writerOfConnector } from "./actor.ts";
import type { FailedItem, SeenItem } from "./item-store.ts";
import type { ConnectorRow } from "./resource.ts";
import type { FileContents, RowContents } from "./sources/source.ts";

export interface SyncedItem extends SeenItem {
  readonly contents: FileContents | RowContents;
}

export interface StoredItems {
  readonly stored: (SeenItem & { readonly document: string; readonly outcome: Outcome })[];
  readonly refused: FailedItem[];
}

const longestId = 255;

/** Shortened with a digest where the name is too long. */
export function externalId(item: string): string {
  if (item.length <= longestId) return item;
  const digest = createHash("sha256").update(item).digest("hex").slice(0, 32);
  return `${item.slice(0, longestId - digest.length - 1).replace(/[\ud800-\udbff]$/, "")}#${digest}`;
}

/** Leaves documents of the same external id that came from elsewhere. */
export async function storeItems(
  ctx: WriteContext,
  base: { readonly id: string },
  connector: ConnectorRow,
  items: readonly SyncedItem[],
): Promise<StoredItems> {
  const ids = items.map(({ item }) => externalId(item));
  const { taken, own } = await holdKnown(ctx, base.id, connector.id, ids);
  const free = items.filter(({ item }) => !taken.has(externalId(item)));
  const refused = items.filter(({ item }) => taken.has(externalId(item))).map(({ item }) => ({ item, ...idTaken }));
  const stored: StoredItems["stored"][number][] = [];
  const by = writerOfConnector(ctx, connector);
  const given = { connector: connector.id };
  const readersOf = (item: string) => (own.has(externalId(item)) ? {} : { readers: connector.readers });
  const rows = free.flatMap((one) => (one.contents.kind === "record" ? [{ ...one, contents: one.contents }] : []));
  const records = rows.map(({ item, contents }) => ({
    ...given,
    ...readersOf(item),
    external_id: externalId(item),
    title: soundText(contents.title),
    text: contents.text && soundText(contents.text),
    fields: soundValue(contents.fields),
    metadata: {},
    url: contents.url ?? null,
  }));
  const put = await putRecords(ctx, base, records, by);
  for (const [at, { item, fingerprint, detail }] of rows.entries()) {
    const { document_id, outcome } = put[at] as (typeof put)[number];
    stored.push({ item, fingerprint, detail, document: document_id, outcome });
  }
  for (const { item, fingerprint, detail, contents } of free) {
    if (contents.kind === "record") continue;
    const { kind: _kind, ...file } = contents;
    const title = file.title && soundText(file.title).slice(0, 500);
    const about = {
      ...given,
      ...readersOf(item),
      title,
      metadata: soundValue(file.metadata),
      external_id: externalId(item),
      source: "connector" as const,
    };
    const { document_id, outcome } = await ingestContents(ctx, base, { ...file, ...about }, by);
    stored.push({ item, fingerprint, detail, document: document_id, outcome });
  }
  return { stored, refused };
}

const idTaken = {
  code: "external_id_taken",
  detail:
    "The base has a document of this external id that did not come from this connector. Delete it, or leave the item out.",
};

/** Locks them, so that none vanishes meanwhile. */
async function holdKnown(ctx: WriteContext, base: string, connector: string, ids: readonly string[]) {
  const rows = await ctx.db.query<{ external_id: string; own: boolean }>(
    `select external_id, connector is not distinct from $5 as own from documents
     where organization = $1 and environment = $2 and base = $3 and external_id = any($4::text[]) order by external_id for update`,
    [ctx.scope.organization, ctx.scope.environment, base, ids, connector],
  );
  const named = (own: boolean): ReadonlySet<string> =>
    new Set(rows.filter((row) => row.own === own).map(({ external_id }) => external_id));
  return { taken: named(false), own: named(true) };
}

export interface RecordContents {
  readonly external_id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Undefined: unchanged. */
  readonly readers?: readonly string[] | null;
  readonly connector: string;
  readonly url: string | null;
  readonly title: string;
  readonly text: string | null;
  readonly fields: Record<string, unknown> | null;
}

/** In order. Records need no parsing and are found at once. */
async function putRecords(
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
      ctx.scope.organization,
      ctx.scope.environment,
      connector,
      stored.map(({ row }) => row.id),
      records.map(({ metadata }) => JSON.stringify(metadata)),
      records.map(({ url }) => url),
    ],
  );
  const changed = records.flatMap(({ readers }, at) =>
    readers === undefined ? [] : [{ id: (stored[at] as (typeof stored)[number]).row.id, readers }],
  );
  await changeDetails(ctx, changed);
  return stored.map(({ row, outcome }) => ({ document_id: row.id, outcome }));
}
