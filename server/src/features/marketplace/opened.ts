import { type VerifiedBundle, verifyBundle } from "@aos/bundle";
import { ByteCache } from "../../kernel/byte-cache.ts";
import { type BundleContents, readContents } from "./contents.ts";
import { orRefuse } from "./faults.ts";

/** A bundle that was verified, with what its files say. Many calls may hold the same one: nobody changes it. */
export interface OpenedBundle {
  readonly bundle: VerifiedBundle;
  readonly contents: BundleContents;
}

/** Bytes of files that are kept: two of the largest bundles. */
const mostBytes = 32 * 1024 * 1024;
const kept = new ByteCache<OpenedBundle>(mostBytes);

/**
 * Verifies and reads a travelling file, of which `hash` is the SHA-256. The last ones are kept, because reading a large bundle holds up every other call for a
 * second or more, and an install that people look at is read every few seconds. Throws `bundle_refused`.
 */
export async function openBundle(hash: string, read: () => Promise<string>): Promise<OpenedBundle> {
  const known = kept.get(hash);
  if (known) return known;
  const text = await read();
  const bundle = orRefuse(() => verifyBundle(text));
  const opened = { bundle, contents: readContents(bundle.files, bundle.manifest) };
  kept.set(
    hash,
    opened,
    [...bundle.files.values()].reduce((sum, file) => sum + file.length, 0),
  );
  return opened;
}
