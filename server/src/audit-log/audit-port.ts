import {
  type Ed25519Signer,
  emptyRoot,
  formatTlogProof,
  formatVerifierKey,
  openCheckpoint,
  openingsOf,
  parseTlogProof,
  signCheckpoint,
  utf8,
  verifierKey,
} from "@aos/proof";
import type pg from "pg";
import type {
  AuditPort,
  CheckpointResult,
  CheckpointWanted,
  LogStoppedResult,
  ProofResult,
} from "../features/audit/ports.ts";
import type { Writer } from "../kernel/db.ts";
import {
  adoptLog,
  EmptyLog,
  guardHead,
  headWords,
  type LogScope,
  LogStopped,
  type LogTrust,
  leafDataOf,
  NotYetSequenced,
  originOf,
  RecordNotFound,
  readCheckpoint,
  readProof,
  type Sequencer,
  SizeNotReached,
  stopRemedy,
} from "./index.ts";
import { createSaltPort } from "./salt-port.ts";

export interface AuditPortParts {
  readonly pool: pg.Pool;
  readonly installation: string;
  readonly signer: Ed25519Signer;
  readonly sequencer: Sequencer;
  readonly trust: LogTrust;
  /** The names of logs that did not begin under this installation's, or were opened by an adoption; by organization and environment. */
  readonly origins: Origins;
  /** The signing key; made again where the database has lost it. */
  readonly makeSigner: () => Promise<Ed25519Signer>;
}

/** The present name of a log. */
export type Origins = (scope: LogScope) => string | undefined;

/** Joins the audit slice with the log's machine. */
export function auditPort(parts: AuditPortParts): AuditPort {
  const { installation, signer, origins } = parts;
  return {
    ...createSaltPort(parts.trust.mac),
    leafData: leafDataOf,
    openings: openingsOf,
    proof: (log, auditRef) => proofOf(parts, log, auditRef),
    logKey: (log) => logKey(installation, log, signer, origins),
    checkpoint: (log, wanted) => headOf(parts, log, wanted),
    adopt: (db, scope, adoption) => adopt(parts, db, scope, adoption),
    async pin(scope, checkpoint) {
      const { publicKey } = await parts.makeSigner();
      await parts.trust.pins.dropPending(scope);
      await parts.trust.pins.save(scope, { key: verifierKey(originOfHead(checkpoint), publicKey), checkpoint });
    },
  };
}

const guardOf = ({ pool, trust, signer }: AuditPortParts) => ({
  pool,
  pins: trust.pins,
  mac: trust.mac,
  publicKey: signer.publicKey,
});

const stopped = ({ reason, detail }: LogStopped): LogStoppedResult => ({
  state: "stopped",
  reason,
  detail,
  remedy: stopRemedy,
});

async function proofOf(parts: AuditPortParts, scope: LogScope, auditRef: string): Promise<ProofResult> {
  const { pool, sequencer } = parts;
  try {
    const read = () => readProof(pool, scope, auditRef, { onSequenced: sequencer.onSequenced });
    const { proofText, leafData } = await guardHead(guardOf(parts), scope, read);
    return { state: "proved", text: formatTlogProof({ ...parseTlogProof(proofText), extra: utf8(leafData) }) };
  } catch (error) {
    if (error instanceof NotYetSequenced) return { state: "waiting" };
    if (error instanceof RecordNotFound) return { state: "absent" };
    if (error instanceof LogStopped) return stopped(error);
    throw error;
  }
}

async function headOf(
  parts: AuditPortParts,
  scope: LogScope,
  { from, cosigned = false }: CheckpointWanted,
): Promise<CheckpointResult> {
  const { pool, installation, signer } = parts;
  const wanted = from === undefined ? {} : { from };
  try {
    const newest = await guardHead(guardOf(parts), scope, () => readCheckpoint(pool, scope, cosigned ? {} : wanted));
    // Older than the newest head, which has just been checked: only its own signature counts.
    const older = async () => ({ ...(await readCheckpoint(pool, scope, { ...wanted, cosigned })), closed: true });
    const { checkpoint, consistency } = cosigned ? await guardHead(guardOf(parts), scope, older) : newest;
    return { state: "signed", checkpoint, consistency: consistency?.hashes ?? null };
  } catch (error) {
    if (error instanceof SizeNotReached) return { state: "beyond", size: error.treeSize };
    if (error instanceof LogStopped) return stopped(error);
    if (!(error instanceof EmptyLog)) throw error;
    if (from !== undefined && from > 0) return { state: "beyond", size: 0 };
    return {
      state: "signed",
      checkpoint: await emptyHead(installation, scope, signer),
      consistency: from === undefined ? null : [],
    };
  }
}

/** Within the transaction that records it. */
async function adopt(
  { trust, makeSigner }: AuditPortParts,
  db: Writer,
  scope: LogScope,
  { id, now }: { id: string; now: number },
) {
  const query = async (statement: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
    const rows =
      typeof statement === "string"
        ? await db.query(statement, values)
        : await db.query(statement.text, statement.values);
    return { rows, rowCount: rows.length };
  };
  const adopted = await adoptLog({ query } as unknown as pg.Pool, scope, trust, {
    signer: await makeSigner(),
    id,
    now: new Date(now),
  });
  if (!adopted) return null;
  const { why, found, pinned, opened, refused, pin } = adopted;
  return {
    reason: why.reason,
    detail: why.detail,
    found: headWords(found),
    pinned: headWords(pinned),
    opened,
    refused,
    checkpoint: pin.checkpoint,
  };
}

/** The head of a log in which nothing stands yet. */
function emptyHead(installation: string, scope: LogScope, signer: Ed25519Signer): Promise<string> {
  return signCheckpoint({ origin: originOf(installation, scope), size: 0, root: emptyRoot }, signer);
}

/** The name that a published head gives its log. */
export const originOfHead = (checkpoint: string): string => checkpoint.slice(0, checkpoint.indexOf("\n"));

/** Throws unless the head is signed by `signer`: whoever has the database can publish any text. */
export async function requireSigned(checkpoint: string, signer: Ed25519Signer): Promise<void> {
  await openCheckpoint(checkpoint, verifierKey(originOfHead(checkpoint), signer.publicKey));
}

/** The public key of a log, as a verifier key of the note format: what a verifier has to trust. */
export function logKey(
  installation: string,
  scope: LogScope,
  signer: Ed25519Signer,
  origins: Origins = () => undefined,
): string {
  return formatVerifierKey(verifierKey(origins(scope) ?? originOf(installation, scope), signer.publicKey));
}
