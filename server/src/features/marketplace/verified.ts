import { BundleFault, verifyBundle } from "@aos/bundle";
import type { Here } from "./listing-store.ts";
import { readBundleHash, readBundleText, type VersionRow } from "./version-store.ts";

const mostKept = 1000;
const verdicts = new Map<string, boolean>();

/**
 * Whether the file of a version, as it is stored now, is what its publisher signed and what the row says of it. The verdict on a file never changes, so that
 * each is verified once in a process.
 */
export async function isVerified(ctx: Here, version: VersionRow): Promise<boolean> {
  const about = `${version.digest} ${version.key_id} ${await readBundleHash(ctx, version)}`;
  const known = verdicts.get(about);
  if (known !== undefined) return known;
  const verdict = verifies(await readBundleText(ctx, version), version);
  if (verdicts.size >= mostKept) verdicts.clear();
  verdicts.set(about, verdict);
  return verdict;
}

function verifies(text: string, { digest, key_id }: VersionRow): boolean {
  try {
    const bundle = verifyBundle(text);
    return `sha256:${bundle.digest}` === digest && bundle.publisher.keys.at(-1)?.key_id === key_id;
  } catch (error) {
    if (error instanceof BundleFault) return false;
    throw error;
  }
}
