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
  leafDataOf,
  NotYetSequenced,
  originOf,
  RecordNotFound,
  readCheckpoint,
  readProof,
  type Sequencer,
  SizeNotReached,
} from "./audit-log/index.ts";
import type { AuditPort, CheckpointResult, CheckpointWanted, ProofResult } from "./features/audit/index.ts";
import type { Scope } from "./kernel/principal.ts";

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
    proof: (scope, auditRef) => proofOf(pool, scope, auditRef, sequencer),
    logKey: (scope) => logKey(installation, scope, signer),
    checkpoint: (scope, wanted) => headOf(pool, scope, wanted, () => emptyHead(installation, scope, signer)),
  };
}

async function proofOf(pool: pg.Pool, scope: Scope, auditRef: string, { onSequenced }: Sequencer): Promise<ProofResult> {
  try {
    const { proofText, leafData } = await readProof(pool, scope, auditRef, { onSequenced });
    return { state: "proved", text: formatTlogProof({ ...parseTlogProof(proofText), extra: utf8(leafData) }) };
  } catch (error) {
    if (error instanceof NotYetSequenced) return { state: "waiting" };
    if (error instanceof RecordNotFound) return { state: "absent" };
    throw error;
  }
}

async function headOf(pool: pg.Pool, scope: Scope, wanted: CheckpointWanted, empty: () => Promise<string>): Promise<CheckpointResult> {
  const { from } = wanted;
  try {
    const { checkpoint, consistency } = await readCheckpoint(pool, scope, wanted);
    return { state: "signed", checkpoint, consistency: consistency?.hashes ?? null };
  } catch (error) {
    if (error instanceof SizeNotReached) return { state: "beyond", size: error.treeSize };
    if (!(error instanceof EmptyLog)) throw error;
    if (from !== undefined && from > 0) return { state: "beyond", size: 0 };
    return { state: "signed", checkpoint: await empty(), consistency: from === undefined ? null : [] };
  }
}

/** The head of a log in which nothing stands yet. */
function emptyHead(installation: string, scope: Scope, signer: Ed25519Signer): Promise<string> {
  return signCheckpoint({ origin: originOf(installation, scope), size: 0, root: emptyRoot }, signer);
}

/** The public key of a log, as a verifier key of the note format: what a verifier has to trust. */
export function logKey(installation: string, scope: Scope, signer: Ed25519Signer): string {
  return formatVerifierKey(verifierKey(originOf(installation, scope), signer.publicKey));
}
