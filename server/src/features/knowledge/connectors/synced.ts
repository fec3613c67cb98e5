import { createHash } from "node:crypto";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Outcome } from "../document-store.ts";
import { ingestContents } from "../ingest/ingest.ts";
import { soundText, soundValue } from "../ingest/sound.ts";
import { writerOfConnector } from "./connector-actor.ts";
import type { ConnectorRow } from "./connector-store.ts";
import { putRecords } from "./contents.ts";
import type { FailedItem, SeenItem } from "./item-store.ts";
import type { FileContents, RowContents } from "./sources/source.ts";

/** An item that was read. */
export interface SyncedItem extends SeenItem {
  readonly contents: FileContents | RowContents;
}

/** What became of items. */
export interface StoredItems {
  readonly stored: (SeenItem & { readonly document: string; readonly outcome: Outcome })[];
  readonly refused: FailedItem[];
}

const longestId = 255;

/** The external id of an item: its name, unless that is too long to be one. */
export function externalId(item: string): string {
  if (item.length <= longestId) return item;
  const digest = createHash("sha256").update(item).digest("hex").slice(0, 32);
  return `${item.slice(0, longestId - digest.length - 1).replace(/[\ud800-\udbff]$/, "")}#${digest}`;
}

/** Makes items documents of the base. What another hand brought under the same external id stays as it is. */
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
    ...{
      external_id: externalId(item),
      title: contents.title,
      text: contents.text,
      fields: contents.fields,
      metadata: {},
      url: null,
    },
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

/** Which external ids other documents have, and which those that the connector brought, whose readers stay as they are. They are locked: none of these vanishes meanwhile. */
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
