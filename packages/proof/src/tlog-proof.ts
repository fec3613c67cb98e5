import { fromBase64, toBase64 } from "./bytes.ts";
import { type Checkpoint, openCheckpoint, readCheckpointUnverified } from "./checkpoint.ts";
import { hashLength, isCount, leafHash, verifyInclusion } from "./merkle.ts";
import { FormatError, parseVerifierKey, type VerifierKey } from "./note.ts";

/** The first line of every proof (C2SP tlog-proof). */
export const tlogProofHeader = "c2sp.org/tlog-proof@v1";
/** An inclusion path in a tree of 2^63 leaves has 63 hashes. */
const maxPath = 63;

/** An offline proof that a leaf stands in a log: its index, the hashes up to the root, the signed checkpoint (C2SP tlog-proof). */
export interface TlogProof {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The signed note, verbatim. */
  readonly checkpoint: string;
  /** Opaque, not authenticated. */
  readonly extra?: Uint8Array;
}

/** The text of a proof. */
export function formatTlogProof({ index, hashes, checkpoint, extra }: TlogProof): string {
  const head = [
    tlogProofHeader,
    ...(extra ? [`extra ${toBase64(extra)}`] : []),
    `index ${index}`,
    ...hashes.map(toBase64),
  ];
  return `${head.join("\n")}\n\n${checkpoint}`;
}

/** Reads a proof without verifying it; throws FormatError with what is wrong. */
export function parseTlogProof(text: string): TlogProof {
  const cut = text.indexOf("\n\n");
  const lines = (cut < 0 ? text : text.slice(0, cut)).split("\n");
  if (lines.shift() !== tlogProofHeader) throw new FormatError(`a proof begins with the line ${tlogProofHeader}`);
  if (cut < 0) throw new FormatError("a proof has an empty line before its checkpoint");
  const extra = lines[0]?.startsWith("extra ") ? fromBase64((lines.shift() as string).slice(6)) : null;
  if (extra === undefined) throw new FormatError("the extra data of a proof is base64");
  const index = /^index (0|[1-9][0-9]*)$/.exec(lines.shift() ?? "")?.[1];
  if (index === undefined || !isCount(Number(index)))
    throw new FormatError('a proof has a line "index <decimal number>"');
  if (lines.length > maxPath) throw new FormatError(`a proof has at most ${maxPath} hashes`);
  const hashes = lines.map((line, i) => {
    const hash = fromBase64(line);
    if (hash?.length !== hashLength) throw new FormatError(`hash ${i + 1} of the proof is not the base64 of 32 bytes`);
    return hash;
  });
  return { index: Number(index), hashes, checkpoint: text.slice(cut + 2), ...(extra ? { extra } : {}) };
}

/** What `verifyProof` needs: the text of the proof, the exact leaf data (the record's canonical JSON), and the log's trusted key. */
export interface ProofToVerify {
  readonly proofText: string;
  readonly leafData: Uint8Array | string;
  /** A verifier key, parsed or as text. */
  readonly publicKey: VerifierKey | string;
}

/** The outcome: where the leaf stands in which log, or the first thing that does not hold. */
export type ProofVerdict =
  | { readonly verified: true; readonly index: number; readonly checkpoint: Checkpoint }
  | { readonly verified: false; readonly part: "format" | "signature" | "inclusion"; readonly reason: string };

/** Verifies a proof offline: format, the checkpoint's signature and origin, the path from the leaf to the signed root (C2SP tlog-proof). */
export async function verifyProof({ proofText, leafData, publicKey }: ProofToVerify): Promise<ProofVerdict> {
  let proof: TlogProof;
  let checkpoint: Checkpoint;
  let part: "format" | "signature" = "format";
  try {
    const key = typeof publicKey === "string" ? parseVerifierKey(publicKey) : publicKey;
    proof = parseTlogProof(proofText);
    part = "signature";
    checkpoint = await openCheckpoint(proof.checkpoint, key);
  } catch (error) {
    if (error instanceof FormatError) return { verified: false, part, reason: error.message };
    throw error;
  }
  const { index, hashes } = proof;
  if (!verifyInclusion(leafHash(leafData), index, checkpoint.size, checkpoint.root, hashes)) {
    const reason = `the path from this record at index ${index} does not lead to the signed root of ${checkpoint.size} records: the record, the index or the path was changed`;
    return { verified: false, part: "inclusion", reason };
  }
  return { verified: true, index, checkpoint };
}

/** What `verifyRecordProof` answers: where the record stands in which log, with the record itself, or the first thing that does not hold. */
export type RecordVerdict =
  | (Extract<ProofVerdict, { verified: true }> & { readonly record: Readonly<Record<string, unknown>> })
  | Extract<ProofVerdict, { verified: false }>;

/**
 * Verifies the proof of a record as the service gives it, which carries the record. `keys` holds verifier keys, one a line, as the file `audit.vkey` does: that of the proof's
 * own log is taken. Whoever wants the proof of a certain record compares `record.id`.
 */
export async function verifyRecordProof(proofText: string, keys: string): Promise<RecordVerdict> {
  try {
    const { extra, checkpoint } = parseTlogProof(proofText);
    if (!extra) throw new FormatError("the proof carries no record");
    const { origin } = readCheckpointUnverified(checkpoint);
    const lines = keys.split("\n").filter((line) => line.trim() !== "");
    const publicKey = lines.map(parseVerifierKey).find(({ name }) => name === origin);
    if (!publicKey)
      return { verified: false, part: "signature", reason: `none of the keys is that of the log ${origin}` };
    const verdict = await verifyProof({ proofText, leafData: extra, publicKey });
    return verdict.verified ? { ...verdict, record: JSON.parse(new TextDecoder().decode(extra)) } : verdict;
  } catch (error) {
    if (error instanceof FormatError) return { verified: false, part: "format", reason: error.message };
    throw error;
  }
}
