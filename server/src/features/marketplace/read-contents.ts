import { verifyBundle } from "@aos/bundle";
import { ByteCache } from "../../kernel/byte-cache.ts";
import { Refusal } from "../../kernel/errors.ts";
import { type BundleContents, readContents } from "./contents.ts";
import { bundleRefused } from "./errors.ts";
import { orRefuse } from "./faults.ts";
import type { Here } from "./listing-store.ts";
import { readBundleText, type VersionRow } from "./version-store.ts";

/** Bytes of travelling files of which the contents are kept. Unpacked they are about ten times as large. */
const mostBytes = 16 * 1024 * 1024;

const kept = new ByteCache<BundleContents>(mostBytes);

/**
 * What the bundle of a version says, for display. A digest names one bundle, so that each is unpacked and verified once in a process, as long as there is room;
 * those that were not read for the longest time go first. Null: the stored file is not what was signed.
 */
export async function knownContents(
  ctx: Here,
  version: Pick<VersionRow, "listing_id" | "version" | "digest" | "bytes">,
): Promise<BundleContents | null> {
  const { digest, bytes } = version;
  const known = kept.get(digest);
  if (known) return known;
  const contents = await readVerified(ctx, version);
  if (contents) kept.set(digest, contents, bytes);
  return contents;
}

async function readVerified(
  ctx: Here,
  version: Pick<VersionRow, "listing_id" | "version" | "digest">,
): Promise<BundleContents | null> {
  const text = await readBundleText(ctx, version);
  try {
    const bundle = orRefuse(() => verifyBundle(text));
    return `sha256:${bundle.digest}` === version.digest ? readContents(bundle.files, bundle.manifest) : null;
  } catch (error) {
    if (error instanceof Refusal && error.type === bundleRefused) return null;
    throw error;
  }
}
