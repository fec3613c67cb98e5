import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { all, insert, remove, select } from "../../../db/scoped.ts";
import { makeTemporaryFolder } from "../../../kernel/temporary-folders.ts";
import type { Looking } from "../store.ts";

// The bytes of documents, in parts of one megabyte: no file is ever whole in memory.

const PART = 1024 * 1024;

/** A file on disk with what is known of it. */
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

/** Stores the bytes of a version in the place of what was stored for it before. */
export async function storeFile(
  ctx: Looking,
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

/** Removes bytes that came when their document had just been deleted. */
export async function removeUnownedFile(ctx: Looking, { document, version }: FileKey): Promise<void> {
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

/** The bytes of a version, part by part. */
export async function* readFileParts(ctx: Looking, { document, version }: FileKey): AsyncGenerator<Buffer> {
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

/** Runs `work` with a folder of its own, which is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder("ingest");
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the bytes of a version to a file of the folder; returns its path. */
export async function fetchFile(ctx: Looking, key: FileKey, folder: string): Promise<string> {
  const file = path.join(folder, "contents");
  await pipeline(Readable.from(readFileParts(ctx, key)), createWriteStream(file));
  return file;
}
