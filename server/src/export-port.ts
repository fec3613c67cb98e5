import { type Ed25519Signer, emptyRoot, formatManifest, readCheckpointUnverified, rootAt, signNote, toBase64 } from "@aos/proof";
import type pg from "pg";
import { EmptyLog, leafDataOf, originOf, readCheckpoint } from "./audit-log/index.ts";
import { tileReader } from "./audit-log/tile-store.ts";
import { logKey, type Origins } from "./audit-port.ts";
import type { ExportPort, LogHead } from "./features/audit/index.ts";
import type { Scope } from "./kernel/principal.ts";

export interface ExportPortParts {
  readonly pool: pg.Pool;
  readonly installation: string;
  readonly signer: Ed25519Signer;
  readonly origins?: Origins;
}

/** Joins exports with the log's machine. */
export function createExportPort({ pool, installation, signer, origins }: ExportPortParts): ExportPort {
  return {
    logKey: (scope) => logKey(installation, scope, signer, origins),
    leafData: leafDataOf,
    sign: (manifest) => signNote(formatManifest(manifest), manifest.origin, signer),
    async head(scope, size) {
      const newest = (await headOf(pool, scope)) ?? { origin: originOf(installation, scope), size: 0, root: toBase64(emptyRoot) };
      if (size === undefined || size === newest.size) return newest;
      if (size > newest.size) throw new RangeError(`the log ${newest.origin} has ${newest.size} records, so no head of ${size}`);
      return { ...newest, size, root: toBase64(await rootAt(tileReader(pool, scope), size)) };
    },
  };
}

/** The head as the sequencer wrote it: our own database is not asked for a proof of itself. Null where nothing stands in the log yet. */
async function headOf(pool: pg.Pool, scope: Scope): Promise<LogHead | null> {
  try {
    const { origin, size, root } = readCheckpointUnverified((await readCheckpoint(pool, scope)).checkpoint);
    return { origin, size, root: toBase64(root) };
  } catch (error) {
    if (error instanceof EmptyLog) return null;
    throw error;
  }
}
