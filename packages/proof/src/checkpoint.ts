import { fromBase64, toBase64 } from "./bytes.ts";
import { hashLength, isCount, type TreeHead } from "./merkle.ts";
import { type Ed25519Signer, FormatError, openNote, parseNote, signNote, type VerifierKey } from "./note.ts";

/** What a checkpoint says: the log by its origin, its size and its root (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** The text of a checkpoint, before signing: origin, size, base64 root, each on a line. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  if (origin.length === 0 || origin.includes("\n"))
    throw new FormatError("the origin of a checkpoint is one line that is not empty");
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** A signed checkpoint whose key name is the log's origin, as the format recommends. */
export async function signCheckpoint(checkpoint: Checkpoint, signer: Ed25519Signer): Promise<string> {
  return signNote(formatCheckpoint(checkpoint), checkpoint.origin, signer);
}

/** Reads the text of a checkpoint; extension lines are accepted and ignored. Throws FormatError. */
export function parseCheckpointText(text: string): Checkpoint {
  const lines = text.split("\n");
  const [origin = "", size = "", root = ""] = lines;
  if (origin === "" || lines.length < 4 || lines.at(-1) !== "" || lines.slice(0, -1).includes("")) {
    throw new FormatError("a checkpoint has three lines that are not empty: origin, tree size, root hash");
  }
  const hash = fromBase64(root);
  if (!/^(?:0|[1-9][0-9]*)$/.test(size) || !isCount(Number(size)))
    throw new FormatError("the tree size of a checkpoint is a decimal number");
  if (hash?.length !== hashLength) throw new FormatError("the root hash of a checkpoint is the base64 of 32 bytes");
  return { origin, size: Number(size), root: hash };
}

/** Reads a signed checkpoint WITHOUT verifying it: good for showing, never for trusting. */
export function readCheckpointUnverified(note: string): Checkpoint {
  return parseCheckpointText(parseNote(note).text);
}

/**
 * Verifies the signature and reads the checkpoint. The origin must be the key's name, or a key of one log would vouch for another.
 * Throws FormatError.
 */
export async function openCheckpoint(note: string, key: VerifierKey): Promise<Checkpoint> {
  const checkpoint = parseCheckpointText(await openNote(note, key));
  if (checkpoint.origin !== key.name)
    throw new FormatError(`the checkpoint is of the log ${checkpoint.origin}, the key of ${key.name}`);
  return checkpoint;
}
