import { type Checkpoint, parseVerifierKey, type VerifierKey, verifierKey } from "@aos/proof";
import type { Pool } from "pg";
import { readClosedLogs } from "./closed-logs.ts";
import { openHead, openPinned } from "./heads.ts";
import { isAdopted, readLogRow } from "./log-state.ts";
import type { LogMac } from "./mac.ts";
import type { Pins } from "./pins.ts";
import { EmptyLog } from "./proofs.ts";
import type { LogScope } from "./scope.ts";
import { LogStopped } from "./stop.ts";
import { requireSigned } from "./stops.ts";

/** A head that is about to leave the service. */
export interface Outgoing {
  readonly checkpoint: string;
  /** Whether its origin was closed, or it is knowingly an older one: only its signature counts then. */
  readonly closed: boolean;
}

export interface HeadGuardParts {
  readonly pool: Pool;
  readonly pins: Pins;
  readonly mac: LogMac;
  readonly publicKey: Uint8Array;
}

/**
 * Reads something under a head, and lets it out only where the log is signed and the head is not behind what this process knows. Throws LogStopped.
 * What is pinned is read first: the database, read after it, can only be newer.
 */
export async function guardHead<T extends Outgoing>(
  parts: HeadGuardParts,
  scope: LogScope,
  read: () => Promise<T>,
): Promise<T> {
  const { pool, pins } = parts;
  const [pinned] = await Promise.all([pins.read(scope), requireSigned(pool, scope)]);
  const saved = pinned && (await openPinned(pinned)).saved;
  const result = await read().catch((error: unknown) => {
    if (error instanceof EmptyLog && saved && saved.size > 0) throw new LogStopped("head_missing");
    throw error;
  });
  const { checkpoint, closed } = result;
  const origin = checkpoint.slice(0, checkpoint.indexOf("\n"));
  const own = verifierKey(origin, parts.publicKey);
  const head = await openHead(checkpoint, closed ? ((await closedKey(parts, scope, origin)) ?? own) : own);
  if (saved && !closed) await requireNotBehind(parts, scope, saved, head);
  return result;
}

/** The key of an origin that an adoption closed, of which the log may have lost the key since. */
async function closedKey({ pool, mac }: HeadGuardParts, scope: LogScope, origin: string): Promise<VerifierKey | null> {
  const closed = (await readClosedLogs(pool, scope, mac)).find((one) => one.origin === origin);
  return closed ? parseVerifierKey(closed.verifierKey) : null;
}

async function requireNotBehind(
  { pool, mac }: HeadGuardParts,
  scope: LogScope,
  saved: Checkpoint,
  head: Checkpoint,
): Promise<void> {
  if (head.origin !== saved.origin) {
    const row = await readLogRow(pool, scope);
    if (row?.origin === head.origin && (await isAdopted(pool, scope, row, saved.origin, mac))) return;
    throw new LogStopped("other_origin", `It is ${head.origin}; this process knows ${saved.origin}.`);
  }
  if (head.size < saved.size)
    throw new LogStopped("head_went_back", `The database says ${head.size} records, ${saved.size} were signed.`);
  if (head.size === saved.size && Buffer.compare(head.root, saved.root) !== 0) throw new LogStopped("head_forked");
}
