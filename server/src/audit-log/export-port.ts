import {
  consistencyProof,
  type Ed25519Signer,
  emptyRoot,
  formatManifest,
  hashLength,
  MissingTile,
  openCheckpoint,
  readCheckpointUnverified,
  rootAt,
  signNote,
  subtreesOf,
  type TreeHead,
  tileWidth,
  toBase64,
  verifierKey,
  verifyConsistency,
} from "@aos/proof";
import type pg from "pg";
import { type ExportPort, LogAltered } from "../features/audit/ports.ts";
import type { Scope } from "../kernel/principal.ts";
import { logKey, type Origins } from "./audit-port.ts";
import { EmptyLog, guardHead, LogStopped, type LogTrust, originOf, readCheckpoint } from "./index.ts";
import { createSaltPort } from "./salt-port.ts";
import { tileReader } from "./tile-store.ts";

export interface ExportPortParts {
  readonly pool: pg.Pool;
  readonly installation: string;
  readonly signer: Ed25519Signer;
  readonly origins?: Origins;
  /** What this process knows of the logs' heads; without them the database is taken at its word. */
  readonly trust?: Pick<LogTrust, "pins" | "mac">;
}

/** Joins exports with the log's machine. */
export function createExportPort(parts: ExportPortParts): ExportPort {
  const { pool, installation, signer, origins } = parts;
  return {
    ...createSaltPort(parts.trust?.mac),
    logKey: (scope) => logKey(installation, scope, signer, origins),
    sign: (manifest) => signNote(formatManifest(manifest), manifest.origin, signer),
    async size(scope) {
      const note = await newestNote({ pool, installation, signer }, scope); // Taken at its word: the export itself checks the head.
      return note === null ? 0 : readCheckpointUnverified(note).size;
    },
    async head(scope, size) {
      const newest = await signedHead(parts, scope);
      const origin = newest?.origin ?? originOf(installation, scope);
      const { root, size: has } = newest ?? { size: 0, root: emptyRoot };
      if (size > has)
        throw new LogAltered(`The log ${origin} has ${has} records; when the export was asked for, it had ${size}.`);
      if (size === has) return { origin, size, root: toBase64(root) };
      return { origin, size, root: toBase64(await earlierRoot(pool, scope, size, { size: has, root })) };
    },
    leafHashes: (scope, from, end) => leafHashes(pool, scope, from, end),
    subtrees: (scope, end) => unlessMissing(() => subtreesOf(tileReader(pool, scope), { start: 0, end })),
  };
}

/** The newest checkpoint, not behind what this process knows; null where nothing is in the log yet. */
async function newestNote(
  { pool, signer: { publicKey }, trust }: ExportPortParts,
  scope: Scope,
): Promise<string | null> {
  const read = () => readCheckpoint(pool, scope);
  try {
    return (trust ? await guardHead({ pool, ...trust, publicKey }, scope, read) : await read()).checkpoint;
  } catch (error) {
    if (error instanceof LogStopped) throw new LogAltered(`The log is not signed at present: ${error.detail}`);
    if (error instanceof EmptyLog) return null;
    throw error;
  }
}

/** The newest head, of which the signature holds. */
async function signedHead(parts: ExportPortParts, scope: Scope): Promise<(TreeHead & { origin: string }) | null> {
  const note = await newestNote(parts, scope);
  if (note === null) return null;
  try {
    return await openCheckpoint(note, verifierKey(readCheckpointUnverified(note).origin, parts.signer.publicKey));
  } catch (error) {
    throw new LogAltered(`The newest head of the log is not signed by this service: ${(error as Error).message}.`);
  }
}

/** The root of an earlier head, from which the newer one follows. */
async function earlierRoot(pool: pg.Pool, scope: Scope, size: number, newest: TreeHead): Promise<Uint8Array> {
  const read = tileReader(pool, scope);
  return unlessMissing(async () => {
    const root = await rootAt(read, size);
    const proof = await consistencyProof(read, size, newest.size);
    if (verifyConsistency({ size, root }, newest, proof)) return root;
    throw new LogAltered(
      `The log's first ${size} records do not lead to its signed head of ${newest.size} records: its tiles were changed.`,
    );
  });
}

async function leafHashes(pool: pg.Pool, scope: Scope, from: number, end: number): Promise<Uint8Array[]> {
  const first = Math.floor(from / tileWidth);
  const ids = Array.from({ length: Math.ceil(end / tileWidth) - first }, (_, i) => ({ level: 0, index: first + i }));
  const tiles = ids.length === 0 ? [] : await tileReader(pool, scope)(ids);
  return Array.from({ length: end - from }, (_, i) => {
    const place = from + i;
    const at = (place % tileWidth) * hashLength;
    const hash = tiles[Math.floor(place / tileWidth) - first]?.subarray(at, at + hashLength);
    if (hash?.length === hashLength) return hash;
    throw new LogAltered(`The log has no hash of its record at place ${place}: a tile is missing or was cut.`);
  });
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingTile) throw new LogAltered(`The log lacks hashes: ${error.message}.`);
    throw error;
  }
}
