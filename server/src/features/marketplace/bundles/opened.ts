import { BundleFault, type BundlePlace, type VerifiedBundle, verifyBundle } from "@aos/bundle";
import { ByteCache } from "../../../kernel/byte-cache.ts";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { bundleRefused } from "../errors.ts";
import { type BundleContents, readContents } from "./contents.ts";

interface FaultPlace {
  readonly part: BundlePlace["part"] | (string & {});
  readonly at: string;
}

/** `fault` is the code for programs. */
export const refusedBundle = (fault: string, place: FaultPlace, detail: string): Refusal =>
  refuse(bundleRefused, detail, { members: { fault, place } });

/** Turns a BundleFault of the package into `bundle_refused`. */
export function orRefuse<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof BundleFault) throw refusedBundle(error.code, error.place, error.message);
    throw error;
  }
}

/** Verified and parsed. Calls share it, so nobody changes it. */
interface OpenedBundle {
  readonly bundle: VerifiedBundle;
  readonly contents: BundleContents;
}

/** Size of the cache: two of the largest bundles. */
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
