import { verifyEd25519 } from "#ed25519";
import { sha256 } from "#sha256";
import { concat, fromBase64, sameBytes, toBase64, toHex, utf8 } from "./bytes.ts";
import { FormatError, isKeyName, type NoteSignature, parseNote } from "./note.ts";

/** Signature type of timestamped Ed25519 cosignatures (C2SP tlog-cosignature). */
const cosignatureType = 0x04;
const timestampLength = 8;
const signatureLength = 64;

/** The public key of a witness. Not a `VerifierKey`: what it signs is another text than the note's. */
export interface CosignerKey {
  readonly name: string;
  /** First 4 bytes of SHA-256(name ‖ "\n" ‖ 0x04 ‖ public key). */
  readonly id: Uint8Array;
  /** 32 bytes (RFC 8032). */
  readonly publicKey: Uint8Array;
}

/** A cosignature that verifies. */
export interface Cosignature {
  /** When the witness signed, in seconds since the epoch, by its own clock. */
  readonly timestamp: number;
  /** Its signature line, newline included. */
  readonly line: string;
}

/** The key of a witness by name and Ed25519 public key. Throws FormatError for a name that no key can have. */
export function cosignerKey(name: string, publicKey: Uint8Array): CosignerKey {
  if (!isKeyName(name))
    throw new FormatError(`"${name}" cannot name a key: it must be free of spaces and plus signs and not empty`);
  if (publicKey.length !== 32) throw new FormatError("an Ed25519 public key has 32 bytes");
  return {
    name,
    publicKey,
    id: sha256(concat(utf8(`${name}\n`), Uint8Array.of(cosignatureType), publicKey)).slice(0, 4),
  };
}

/** `<name>+<hex key id>+<base64 of 0x04 ‖ public key>` (C2SP tlog-cosignature). */
export function formatCosignerKey(key: CosignerKey): string {
  return `${key.name}+${toHex(key.id)}+${toBase64(concat(Uint8Array.of(cosignatureType), key.publicKey))}`;
}

/** Reads the verifier key of a witness; throws FormatError with what is wrong. */
export function parseCosignerKey(text: string): CosignerKey {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  const material = fromBase64(rest.join("+"));
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(id) || !material || material.length < 2) {
    throw new FormatError("a witness's key reads <name>+<8 hexadecimal digits>+<base64>");
  }
  if (material[0] !== cosignatureType || material.length !== 33) {
    throw new FormatError("only Ed25519 cosignature keys (type 4) are understood as a witness's");
  }
  const key = cosignerKey(name, material.slice(1));
  if (toHex(key.id) !== id) {
    throw new FormatError(`the key id of this witness's key should read ${toHex(key.id)}; it was changed or mistyped`);
  }
  return key;
}

/** What a witness signs of a checkpoint: header and time, then the text of the note (C2SP tlog-cosignature, "Ed25519 signed message"). */
export function cosignedMessage(text: string, timestamp: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${timestamp}\n${text}`);
}

/**
 * The newest cosignature of a witness on a signed checkpoint. Lines of other keys are ignored; throws FormatError if none is of this key, or one of this key
 * does not verify. Says nothing of the log's own signature: see `openCheckpoint`.
 */
export async function openCosignature(note: string, key: CosignerKey): Promise<Cosignature> {
  const { text, signatures } = parseNote(note);
  const own = signatures.filter((s) => s.name === key.name && sameBytes(s.keyId, key.id));
  if (own.length === 0) throw new FormatError(`not cosigned by the witness ${key.name}+${toHex(key.id)}`);
  let newest: Cosignature | undefined;
  for (const signature of own) {
    const timestamp = timestampOf(signature);
    const message = timestamp === undefined ? undefined : cosignedMessage(text, timestamp);
    const signed = signature.signature.slice(timestampLength);
    if (timestamp === undefined || !message || !(await verifyEd25519(key.publicKey, message, signed))) {
      throw new FormatError(
        `the cosignature of ${key.name}+${toHex(key.id)} does not fit the checkpoint: one of the two was changed`,
      );
    }
    if (!newest || timestamp >= newest.timestamp) newest = { timestamp, line: lineOf(signature) };
  }
  return newest as Cosignature;
}

/** Undefined where the signature is not of the length, or its time is none that a number holds exactly; zero states no time, which a witness must. */
function timestampOf({ signature }: NoteSignature): number | undefined {
  if (signature.length !== timestampLength + signatureLength) return undefined;
  const timestamp = new DataView(signature.buffer, signature.byteOffset, timestampLength).getBigUint64(0);
  return timestamp > 0n && timestamp <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(timestamp) : undefined;
}

function lineOf({ name, keyId, signature }: NoteSignature): string {
  return `\u2014 ${name} ${toBase64(concat(keyId, signature))}\n`;
}
