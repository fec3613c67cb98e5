import { createHash } from "node:crypto";
import { first, insert, select, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { Writer } from "../documents/deciders.ts";
import { changeDetails, type Outcome } from "../documents/store.ts";
import { type StoredBytes, storeFile } from "./files.ts";
import { ingestJob, type Pending, type Source, titleOfFile } from "./rules.ts";

export type Ingesting = QueryContext & Pick<WriteContext, "newId" | "now" | "enqueue">;

export interface Contents {
  readonly external_id?: string | null;
  readonly title?: string | null;
  readonly source: Source;
  readonly file_name?: string | null;
  readonly media_type?: string | null;
  readonly bytes?: Uint8Array;
  readonly file?: StoredBytes;
  readonly url?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly readers?: readonly string[] | null;
  readonly review_at?: Date | null;
  readonly language?: string;
  readonly connector?: string | null;
}

export interface Ingested {
  readonly document_id: string;
  readonly outcome: Outcome;
}

/** The sweep then wakes a worker again (milliseconds). */
export const queuedFor = 30_000;

/** SHA-256 of the bytes, or of the address: unique among documents without an external id. */
export const digestOfContents = (contents: Contents): string =>
  fileDigestOf(contents) ?? digestOf(`url ${contents.url}`);

const fileDigestOf = ({ file, bytes }: Contents): string | null => file?.sha256 ?? (bytes ? digestOf(bytes) : null);

const digestOf = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** A known external id, or else the same bytes or address, is replaced. The former contents are served until the new ones are indexed. */
export async function ingestContents(
  ctx: Ingesting,
  base: { id: string },
  contents: Contents,
  by: Writer,
): Promise<Ingested> {
  const file_digest = fileDigestOf(contents);
  const digest = digestOfContents(contents);
  const found = await findKnown(ctx, base.id, contents.external_id ?? null, digest);
  if (found) return queueContents(ctx, found.id, contents, by);
  const id = ctx.newId("doc");
  const pending = pendingOf(contents, { version: 1, file_digest, digest, after: 0, by });
  const inserted = await first(
    ctx,
    insert(ctx, "documents", {
      id,
      base: base.id,
      external_id: contents.external_id ?? null,
      title: pending.title ?? titleOfFile(pending.file_name),
      digest,
      author: by.author,
      deciders: JSON.stringify(by.deciders),
      created_at: new Date(ctx.now),
      updated_at: new Date(ctx.now),
      state: "queued",
      progress: 0,
      pending: JSON.stringify(pending),
      lease_until: new Date(ctx.now + queuedFor),
      source: contents.source,
      file_name: pending.file_name,
      media_type: pending.media_type,
      size: pending.size,
      file_digest,
      url: pending.url,
      metadata: JSON.stringify(contents.metadata ?? {}),
      readers: contents.readers ? [...contents.readers] : null,
      review_at: contents.review_at ?? null,
      language: contents.language ?? null,
      connector: contents.connector ?? null,
    })
      .onConflict((on) => on.doNothing())
      .returning("id"),
  );
  // Another call was faster: its document is the one.
  if (!inserted) return ingestContents(ctx, base, contents, by);
  await storeBytes(ctx, id, 1, contents);
  ctx.enqueue(ingestJob(ctx.scope, id));
  return { document_id: id, outcome: "added" };
}

/** Keeps its id, its access, and what is served until they are indexed. */
export async function queueContents(ctx: Ingesting, id: string, contents: Contents, by: Writer): Promise<Ingested> {
  const row = await first(
    ctx,
    select(ctx, "documents", "d")
      .select(["d.id", "d.version", "d.state", "d.title", "d.url", "d.file_digest", "d.pending", "d.attempt"])
      .where("d.id", "=", id)
      .forUpdate(),
  );
  if (!row) throw refuse(conflict, "The document was just deleted.");
  await changeDetails(ctx, [{ ...contents, id }]);
  const waiting = row.pending as Pending | null;
  const file_digest = fileDigestOf(contents);
  const latest = waiting?.what === "contents" ? waiting : row;
  const renamed = (contents.title || latest.title) !== latest.title || (contents.url ?? latest.url) !== latest.url;
  const same = file_digest !== null && latest.file_digest === file_digest && !renamed;
  if (same && row.state !== "failed") return { document_id: id, outcome: "unchanged" };
  const digest = digestOfContents(contents);
  const version = waiting?.what === "contents" ? waiting.version : row.version + 1;
  const pending = pendingOf(contents, { version, file_digest, digest, after: row.attempt + 1, by });
  await first(
    ctx,
    update(ctx, "documents")
      .set({
        pending: JSON.stringify(pending),
        state: "queued",
        progress: 0,
        error: null,
        attempt: row.attempt + 1, // whoever works on the former contents has lost the document
        lease_until: new Date(ctx.now + queuedFor),
      })
      .where("id", "=", id),
  );
  await storeBytes(ctx, id, version, contents);
  ctx.enqueue(ingestJob(ctx.scope, id));
  return { document_id: id, outcome: "replaced" };
}

function pendingOf(
  { title, source, file_name, media_type, bytes, file, url }: Contents,
  {
    version,
    file_digest,
    digest,
    after,
    by,
  }: Pick<Pending, "version" | "file_digest" | "digest" | "after"> & { by: Writer },
): Pending {
  const size = file?.size ?? bytes?.byteLength ?? null;
  return {
    what: "contents",
    version,
    title: title || null,
    source,
    file_digest,
    digest,
    size,
    after,
    file_name: file_name ?? null,
    media_type: media_type ?? null,
    url: url ?? null,
    author: by.author,
    deciders: by.deciders,
  };
}

async function findKnown(ctx: Ingesting, base: string, external: string | null, digest: string) {
  const documents = select(ctx, "documents", "d").select("d.id").where("d.base", "=", base);
  const same =
    external === null
      ? documents.where("d.external_id", "is", null).where("d.digest", "=", digest)
      : documents.where("d.external_id", "=", external);
  return first(ctx, same.limit(1));
}

async function storeBytes(ctx: Ingesting, id: string, version: number, { bytes, file }: Contents): Promise<void> {
  const from = file ?? (bytes && { bytes });
  if (from) await storeFile(ctx, { document: id, version }, from);
}
