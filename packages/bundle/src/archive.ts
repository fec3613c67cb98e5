import { createHash } from "node:crypto";
import { BundleFault } from "./faults.ts";
import { gunzip, gzip } from "./gzip.ts";
import { ARCHIVE_LIMITS, type ArchiveLimits } from "./limits.ts";
import { type BundleFiles, readTar, writeTar } from "./tar.ts";

/**
 * Packs files into an archive: one gzip member with a ustar tar of regular files, sorted by path. The same files give
 * the same bytes on the same version of zlib, and the same tar on every version. Throws a BundleFault for paths and
 * sizes outside the format.
 */
export function packArchive(files: BundleFiles): Buffer {
  const archive = gzip(writeTar(files, ARCHIVE_LIMITS));
  checkLength(archive, ARCHIVE_LIMITS);
  return archive;
}

/**
 * Unpacks an archive whose tar is byte for byte what packing its files gives. Throws a BundleFault for any other. The
 * contents share memory of at most `limits.unpacked` bytes. Callers compare the digest first: `verifyBundle` does.
 */
export function unpackArchive(bytes: Uint8Array, limits: Partial<ArchiveLimits> = {}): BundleFiles {
  const all = { ...ARCHIVE_LIMITS, ...limits };
  checkLength(bytes, all);
  return readTar(gunzip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), all.unpacked), all);
}

/** SHA-256 in lower-case hexadecimal. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function checkLength(archive: Uint8Array, limits: ArchiveLimits): void {
  if (archive.length > limits.archive)
    throw new BundleFault("archive_too_large", { part: "archive", at: "" }, `The archive has ${archive.length} bytes.`);
}
