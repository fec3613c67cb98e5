import { type Ed25519Signer, readCheckpointUnverified, signNote, toBase64 } from "@aos/proof";
import type pg from "pg";
import { EmptyLog, originOf, readCheckpoint } from "./audit-log/index.ts";
import { logKey } from "./audit-port.ts";
import type { ExportPort, LogHead } from "./features/audit/index.ts";
import type { Scope } from "./kernel/principal.ts";

export interface ExportPortParts {
  readonly pool: pg.Pool;
  readonly installation: string;
  readonly signer: Ed25519Signer;
}

/** Joins exports with the log's machine. */
export function createExportPort({ pool, installation, signer }: ExportPortParts): ExportPort {
  return {
    logKey: (scope) => logKey(installation, scope, signer),
    sign: (scope, text) => signNote(text, originOf(installation, scope), signer),
    head: (scope) => headOf(pool, scope),
  };
}

/** The head as the sequencer wrote it: our own database is not asked for a proof of itself. */
async function headOf(pool: pg.Pool, scope: Scope): Promise<LogHead | null> {
  try {
    const { origin, size, root } = readCheckpointUnverified((await readCheckpoint(pool, scope)).checkpoint);
    return { origin, size, root: toBase64(root) };
  } catch (error) {
    if (error instanceof EmptyLog) return null;
    throw error;
  }
}
