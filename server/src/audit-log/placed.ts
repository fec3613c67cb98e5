import { hashLength, leafHash, tileWidth } from "@aos/proof";
import { readClosedLogs } from "./closed-logs.ts";
import { leafDataOf } from "./leaf-rows.ts";
import { isOwnRow, readLogRow } from "./log-state.ts";
import type { ClosedLog, LogMac } from "./mac.ts";
import type { LogScope } from "./scope.ts";
import { type Queryable, tileReader } from "./tile-store.ts";

/** A record with the place in the log that a row of `audit_leaves` gives it. Whoever may insert rows can write that row, so it proves nothing. */
export interface Claim {
  readonly id: string;
  readonly body: string;
  readonly leafIndex: number;
  readonly keySeq: number | null;
}

/** Where the leaves of an origin are. */
type Origin = Pick<ClosedLog, "epoch" | "firstLeaf" | "size">;

/**
 * The ids of the claims that are true: the index lies within an origin whose row this service wrote, and the hash in its tile is that of the record.
 * Read the claims first: origins and tiles only grow.
 */
export async function placedRecords(
  db: Queryable,
  scope: LogScope,
  mac: LogMac,
  claims: readonly Claim[],
): Promise<Set<string>> {
  const placed = new Set<string>();
  if (claims.length === 0) return placed;
  const origins: Origin[] = await readClosedLogs(db, scope, mac);
  const open = await readOpen(db, scope, mac);
  if (open) origins.push(open);
  const located = claims.flatMap((claim) => {
    const origin = origins.find(
      ({ firstLeaf, size }) => claim.leafIndex >= firstLeaf && claim.leafIndex < firstLeaf + size,
    );
    return origin ? [{ claim, epoch: origin.epoch, index: claim.leafIndex - origin.firstLeaf }] : [];
  });
  const hashes = await readHashes(db, scope, located);
  for (const [i, { claim }] of located.entries()) {
    const [stored, expected] = [hashes[i], hashOf(claim)];
    if (stored && expected && Buffer.compare(stored, expected) === 0) placed.add(claim.id);
  }
  return placed;
}

/** Null: no leaf has this number. */
function hashOf({ body, keySeq }: Claim): Uint8Array | null {
  try {
    return leafHash(leafDataOf(body, keySeq));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

async function readOpen(db: Queryable, scope: LogScope, mac: LogMac): Promise<Origin | null> {
  const row = await readLogRow(db, scope);
  if (!row || !isOwnRow(scope, row, mac)) return null;
  return { epoch: row.epoch, firstLeaf: Number(row.first_leaf), size: Number(row.tree_size) };
}

/** The stored hashes of leaves, each tile read once. Undefined where a tile is missing or ends before the leaf. */
async function readHashes(
  db: Queryable,
  scope: LogScope,
  leaves: readonly { readonly epoch: number; readonly index: number }[],
): Promise<(Uint8Array | undefined)[]> {
  const tileOf = (index: number): number => Math.floor(index / tileWidth);
  const tiles = new Map<string, Uint8Array>();
  for (const [epoch, own] of Map.groupBy(leaves, (leaf) => leaf.epoch)) {
    const ids = [...new Set(own.map(({ index }) => tileOf(index)))].map((index) => ({ level: 0, index }));
    const read = await tileReader(db, scope, epoch)(ids);
    for (const [i, { index }] of ids.entries()) tiles.set(`${epoch} ${index}`, read[i] as Uint8Array);
  }
  return leaves.map(({ epoch, index }) => {
    const at = (index % tileWidth) * hashLength;
    const hash = tiles.get(`${epoch} ${tileOf(index)}`)?.subarray(at, at + hashLength);
    return hash?.length === hashLength ? hash : undefined;
  });
}
