import { type Checkpoint, verifierKey } from "@aos/proof";
import type { Pool } from "pg";
import { openHead, openPinned } from "./heads.ts";
import type { Pins } from "./pins.ts";
import { EmptyLog } from "./proofs.ts";
import type { LogScope } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import { requireSigned } from "./stops.ts";

/** A head that is about to leave the service. */
export interface Outgoing {
  readonly checkpoint: string;
  /** The origin that its own took over from; null for the first. */
  readonly closes: string | null;
  /** Whether its origin was closed: only its signature counts then. */
  readonly closed: boolean;
}

export interface HeadGuardParts {
  readonly pool: Pool;
  readonly pins: Pins;
  readonly publicKey: Uint8Array;
}

/**
 * Reads something under a head, and lets it out only where the log is signed and the head is not behind what this process knows. Throws LogStopped.
 * What is pinned is read first: the database, read after it, can only be newer.
 */
export async function guardHead<T extends Outgoing>(
  { pool, pins, publicKey }: HeadGuardParts,
  scope: LogScope,
  read: () => Promise<T>,
): Promise<T> {
  const [pinned] = await Promise.all([pins.read(scope), requireSigned(pool, scope)]);
  const saved = pinned && (await openPinned(pinned)).saved;
  const result = await read().catch((error: unknown) => {
    if (error instanceof EmptyLog && saved && saved.size > 0) throw new LogStopped("head_missing");
    throw error;
  });
  const { checkpoint, closes, closed } = result;
  const head = await openHead(checkpoint, verifierKey(checkpoint.slice(0, checkpoint.indexOf("\n")), publicKey));
  if (saved && !closed) requireNotBehind(saved, head, closes);
  return result;
}

function requireNotBehind(saved: Checkpoint, head: Checkpoint, closes: string | null): void {
  if (head.origin !== saved.origin) {
    if (closes === saved.origin) return;
    throw new LogStopped("other_origin", `It is ${head.origin}; this process knows ${saved.origin}.`);
  }
  if (head.size < saved.size) throw new LogStopped("head_went_back", `The database says ${head.size} records, ${saved.size} were signed.`);
  if (head.size === saved.size && Buffer.compare(head.root, saved.root) !== 0) throw new LogStopped("head_forked");
}
