import {
  type Checkpoint,
  consistencyProof,
  FormatError,
  openCheckpoint,
  type VerifierKey,
  verifyConsistency,
} from "@aos/proof";
import type { Pinned, PinnedHead } from "./pins.ts";
import type { LogScope } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import { type Queryable, tileReader } from "./tile-store.ts";

/** A head whose signature was verified. */
export interface TrustedHead extends Checkpoint {
  readonly key: VerifierKey;
}

/** The pinned heads of a log, newest knowledge first. Throws LogStopped where the files were changed. */
export async function openPinned({
  saved,
  pending,
}: Pinned): Promise<{ saved: TrustedHead; pending: TrustedHead | null }> {
  const open = async ({ key, checkpoint }: PinnedHead): Promise<TrustedHead> => ({
    ...(await openHead(checkpoint, key)),
    key,
  });
  return { saved: await open(saved), pending: pending && (await open(pending)) };
}

/** Throws LogStopped where the signature does not verify. */
export async function openHead(checkpoint: string, key: VerifierKey): Promise<Checkpoint> {
  try {
    return await openCheckpoint(checkpoint, key);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new LogStopped("head_forged", `The checkpoint does not verify: ${error.message}.`);
  }
}

/** Whether two heads are the same tree of the same log. */
export const sameHead = (a: Checkpoint, b: Checkpoint): boolean =>
  a.origin === b.origin && a.size === b.size && Buffer.compare(a.root, b.root) === 0;

/** Throws LogStopped unless `head` is `saved` or contains all of it, by a consistency proof from the tiles. */
export async function requireExtends(
  db: Queryable,
  scope: LogScope,
  saved: Checkpoint,
  head: Checkpoint,
  epoch: number,
): Promise<void> {
  if (head.origin !== saved.origin)
    throw new LogStopped("other_origin", `It is ${head.origin}; this process knows ${saved.origin}.`);
  const sizes = `The database says ${head.size} records, ${saved.size} were signed.`;
  if (head.size < saved.size) throw new LogStopped("head_went_back", sizes);
  if (sameHead(saved, head)) return;
  if (head.size === saved.size)
    throw new LogStopped("head_forked", `Both have ${head.size} records and different roots.`);
  let hashes: Uint8Array[];
  try {
    hashes = await consistencyProof(tileReader(db, scope, epoch), saved.size, head.size);
  } catch (error) {
    throw new LogStopped("tiles_damaged", (error as Error).message);
  }
  if (!verifyConsistency(saved, head, hashes))
    throw new LogStopped("head_forked", `${sizes} They are not the same records.`);
}
