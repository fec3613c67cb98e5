import {
  type Ed25519Signer,
  emptyRoot,
  formatTlogProof,
  formatVerifierKey,
  openingsOf,
  parseTlogProof,
  signCheckpoint,
  utf8,
  verifierKey,
} from "@aos/proof";
import type pg from "pg";
import {
  EmptyLog,
  type LogScope,
  leafDataOf,
  NotYetSequenced,
  originOf,
  RecordNotFound,
  readCheckpoint,
  readProof,
  type Sequencer,
  SizeNotReached,
} from "./audit-log/index.ts";
import type { AuditPort, CheckpointResult, ProofResult } from "./features/audit/index.ts";

export interface AuditPortParts {
  readonly pool: pg.Pool;
  readonly installation: string;
  readonly signer: Ed25519Signer;
  readonly sequencer: Sequencer;
}

/** Joins the audit slice with the log's machine. */
export function auditPort({ pool, installation, signer, sequencer }: AuditPortParts): AuditPort {
  return {
    leafData: leafDataOf,
    openings: openingsOf,
    proof: (log, auditRef) => proofOf(pool, log, auditRef, sequencer),
    logKey: (log) => logKey(installation, log, signer),
    checkpoint: (log, from) => headOf(pool, log, from, () => emptyHead(installation, log, signer)),
  };
}

async function proofOf(pool: pg.Pool, scope: LogScope, auditRef: string, { onSequenced }: Sequencer): Promise<ProofResult> {
  try {
    const { proofText, leafData } = await readProof(pool, scope, auditRef, { onSequenced });
    return { state: "proved", text: formatTlogProof({ ...parseTlogProof(proofText), extra: utf8(leafData) }) };
  } catch (error) {
    if (error instanceof NotYetSequenced) return { state: "waiting" };
    if (error instanceof RecordNotFound) return { state: "absent" };
    throw error;
  }
}

async function headOf(pool: pg.Pool, scope: LogScope, from: number | undefined, empty: () => Promise<string>): Promise<CheckpointResult> {
  try {
    const { checkpoint, consistency } = await readCheckpoint(pool, scope, from === undefined ? {} : { from });
    return { state: "signed", checkpoint, consistency: consistency?.hashes ?? null };
  } catch (error) {
    if (error instanceof SizeNotReached) return { state: "beyond", size: error.treeSize };
    if (!(error instanceof EmptyLog)) throw error;
    if (from !== undefined && from > 0) return { state: "beyond", size: 0 };
    return { state: "signed", checkpoint: await empty(), consistency: from === undefined ? null : [] };
  }
}

/** The head of a log in which nothing stands yet. */
function emptyHead(installation: string, scope: LogScope, signer: Ed25519Signer): Promise<string> {
  return signCheckpoint({ origin: originOf(installation, scope), size: 0, root: emptyRoot }, signer);
}

/** The public key of a log, as a verifier key of the note format: what a verifier has to trust. */
export function logKey(installation: string, scope: LogScope, signer: Ed25519Signer): string {
  return formatVerifierKey(verifierKey(originOf(installation, scope), signer.publicKey));
}
