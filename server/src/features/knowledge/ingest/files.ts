import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { all, insert, remove, select } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { makeTemporaryFolder } from "../../../kernel/temporary-folders.ts";

// The bytes of documents, in parts of one megabyte: no file is ever whole in memory.

const PART = 1024 * 1024;

export interface StoredBytes {
  readonly path: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface FileKey {
  readonly document: string;
  readonly version: number;
}

export async function storeFile(
  ctx: QueryContext,
  { document, version }: FileKey,
  from: { readonly path: string } | { readonly bytes: Uint8Array },
): Promise<void> {
  await all(ctx, remove(ctx, "document_files").where("document", "=", document).where("version", "=", version));
  const parts = "path" in from ? createReadStream(from.path, { highWaterMark: PART }) : partsOf(from.bytes);
  let part = 0;
  for await (const data of parts as AsyncIterable<Buffer>) {
    await all(ctx, insert(ctx, "document_files", { document, version, part, data }));
    part++;
  }
}

export async function removeUnownedFile(ctx: QueryContext, { document, version }: FileKey): Promise<void> {
  const owner = select(ctx, "documents", "d").select("d.id").where("d.id", "=", document);
  const file = remove(ctx, "document_files").where("document", "=", document).where("version", "=", version);
  await all(
    ctx,
    file.where((is) => is.not(is.exists(owner))),
  );
}

async function* partsOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < all.length; at += PART) yield all.subarray(at, at + PART);
}

async function* readFileParts(ctx: QueryContext, { document, version }: FileKey): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const [row] = await all(
      ctx,
      select(ctx, "document_files", "f")
        .select("f.data")
        .where("f.document", "=", document)
        .where("f.version", "=", version)
        .where("f.part", "=", part),
    );
    if (!row) return;
    yield row.data as Buffer;
  }
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder("ingest");
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function fetchFile(ctx: QueryContext, key: FileKey, folder: string): Promise<string> {
  const file = path.join(folder, "contents");
  await pipeline(Readable.from(readFileParts(ctx, key)), createWriteStream(file));
  return file;
}
