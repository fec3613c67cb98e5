import {
  type Checkpoint,
  consistencyProof,
  FormatError,
  openCheckpoint,
  type VerifierKey,
  verifierKey,
  verifyConsistency,
} from "@aos/proof";
import type { Pinned, PinnedHead, Pins } from "./pins.ts";
import type { LogScope } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import { type Queryable, tileReader } from "./tile-store.ts";

/** A head whose signature was verified. */
export interface TrustedHead extends Checkpoint {
  readonly key: VerifierKey;
}

/** The pinned heads of a log, newest knowledge first. Throws LogStopped where the files were changed. */
export async function openPinned({ saved, pending }: Pinned): Promise<{ saved: TrustedHead; pending: TrustedHead | null }> {
  const open = async ({ key, checkpoint }: PinnedHead): Promise<TrustedHead> => ({ ...(await openHead(checkpoint, key)), key });
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
export async function requireExtends(db: Queryable, scope: LogScope, saved: Checkpoint, head: Checkpoint, epoch: number): Promise<void> {
  if (head.origin !== saved.origin) throw new LogStopped("other_origin", `It is ${head.origin}; this process knows ${saved.origin}.`);
  const sizes = `The database says ${head.size} records, ${saved.size} were signed.`;
  if (head.size < saved.size) throw new LogStopped("head_went_back", sizes);
  if (sameHead(saved, head)) return;
  if (head.size === saved.size) throw new LogStopped("head_forked", `Both have ${head.size} records and different roots.`);
  let hashes: Uint8Array[];
  try {
    hashes = await consistencyProof(tileReader(db, scope, epoch), saved.size, head.size);
  } catch (error) {
    throw new LogStopped("tiles_damaged", (error as Error).message);
  }
  if (!verifyConsistency(saved, head, hashes)) throw new LogStopped("head_forked", `${sizes} They are not the same records.`);
}

/** Keeps what other processes publish. Of several heads that come while one is being saved only the last is looked at. */
export function createHearing(pins: Pins, db: Queryable, failed: (scope: LogScope, error: unknown) => void) {
  const waiting = new Map<string, { scope: LogScope; checkpoint: string; epoch: number }>();
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    for (const [key, { scope, checkpoint, epoch }] of waiting) {
      waiting.delete(key);
      await saveHeard(pins, db, scope, checkpoint, epoch).catch((error) => failed(scope, error));
    }
  };
  return {
    hear(scope: LogScope, checkpoint: string, epoch: number): void {
      waiting.set(`${scope.organization} ${scope.environment}`, { scope, checkpoint, epoch });
      running ??= work().finally(() => {
        running = null;
      });
    },
    idle: async () => void (await running),
  };
}

/** Saves a head that another process published, where it extends the saved one. An older one, which came late, is passed over. */
async function saveHeard(pins: Pins, db: Queryable, scope: LogScope, checkpoint: string, epoch: number): Promise<void> {
  const pinned = await pins.read(scope);
  if (!pinned) return; // this process has to be told of the log first; see `joining.ts`
  const { saved } = await openPinned(pinned);
  const named = checkpoint.slice(0, checkpoint.indexOf("\n"));
  if (named !== saved.origin) return; // another origin is taken over when the log is loaded, where its row can be verified
  const head = await openHead(checkpoint, verifierKey(named, saved.key.publicKey));
  if (head.size < saved.size || sameHead(head, saved)) return;
  await requireExtends(db, scope, saved, head, epoch);
  await pins.save(scope, { key: saved.key, checkpoint });
}
