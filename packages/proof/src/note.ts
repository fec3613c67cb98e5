import { verifyEd25519 } from "#ed25519";
import { sha256 } from "#sha256";
import { concat, fromBase64, sameBytes, toBase64, toHex, utf8 } from "./bytes.ts";

/** Signature type of Ed25519 in key ids and verifier keys (C2SP signed-note). */
const ed25519Type = 0x01;
const maxSignatures = 64;
const maxNoteLength = 1_000_000;

/** A public key by the name that its signatures carry: the parsed form of a verifier key (`name+id+base64`). */
export interface VerifierKey {
  readonly name: string;
  /** First 4 bytes of SHA-256(name ‖ "\n" ‖ 0x01 ‖ public key). */
  readonly id: Uint8Array;
  /** 32 bytes (RFC 8032). */
  readonly publicKey: Uint8Array;
}

/** Signs with a key that stays where it is. `publicKey`: 32 bytes; signatures: 64 bytes (RFC 8032). */
export interface Ed25519Signer {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** One signature line of a note. */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

/** A note: its text, final newline included, and its signatures, of which nothing is known until verified. */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Says what in a note, checkpoint, proof or key is not in the format, or does not verify. */
export class FormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FormatError";
  }
}

/** Whether a text can name a key: not empty, no white space, no plus sign, no control characters (C2SP signed-note). */
export function isKeyName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is excluded
  return name.length > 0 && !/[\s+\u0000-\u001f\u0085]/u.test(name);
}

/** The verifier key for a name and an Ed25519 public key. Throws FormatError for a name that no key can have. */
export function verifierKey(name: string, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name))
    throw new FormatError(`"${name}" cannot name a key: it must be free of spaces and plus signs and not empty`);
  if (publicKey.length !== 32) throw new FormatError("an Ed25519 public key has 32 bytes");
  return { name, publicKey, id: sha256(concat(utf8(`${name}\n`), Uint8Array.of(ed25519Type), publicKey)).slice(0, 4) };
}

/** `<name>+<hex key id>+<base64 of 0x01 ‖ public key>` (C2SP signed-note, "Verifier keys"). */
export function formatVerifierKey(key: VerifierKey): string {
  return `${key.name}+${toHex(key.id)}+${toBase64(concat(Uint8Array.of(ed25519Type), key.publicKey))}`;
}

/** Reads a verifier key; throws FormatError with what is wrong. */
export function parseVerifierKey(text: string): VerifierKey {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  const material = fromBase64(rest.join("+"));
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(id) || material?.length !== 33) {
    throw new FormatError("a verifier key reads <name>+<8 hexadecimal digits>+<base64 of 33 bytes>");
  }
  if (material[0] !== ed25519Type) throw new FormatError("only Ed25519 verifier keys (type 1) are understood");
  const key = verifierKey(name, material.slice(1));
  if (toHex(key.id) !== id)
    throw new FormatError(`the key id of this verifier key should read ${toHex(key.id)}; it was changed or mistyped`);
  return key;
}

/** Signs a text, which must end in a newline, under a key name: the whole note (C2SP signed-note). */
export async function signNote(text: string, name: string, signer: Ed25519Signer): Promise<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is excluded
  if (!text.endsWith("\n") || /[\u0000-\u0009\u000b-\u001f]/.test(text)) {
    throw new FormatError("the text of a note ends in a newline and has no other control character");
  }
  const key = verifierKey(name, signer.publicKey);
  const signature = await signer.sign(utf8(text));
  return `${text}\n\u2014 ${name} ${toBase64(concat(key.id, signature))}\n`;
}

/** Reads a note without verifying anything; throws FormatError with what is wrong. */
export function parseNote(note: string): Note {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is excluded
  if (note.length > maxNoteLength || !note.isWellFormed() || /[\u0000-\u0009\u000b-\u001f]/.test(note)) {
    throw new FormatError("a note is UTF-8 text of at most 1 MB without control characters other than newline");
  }
  const cut = note.lastIndexOf("\n\n");
  if (cut < 0 || !note.endsWith("\n"))
    throw new FormatError("a note has an empty line between text and signatures and ends in a newline");
  const lines = note.slice(cut + 2, -1).split("\n");
  if (lines.length > maxSignatures) throw new FormatError(`a note has at most ${maxSignatures} signatures`);
  return { text: note.slice(0, cut + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [dash, name = "", encoded = "", ...more] = line.split(" ");
  const bytes = fromBase64(encoded);
  if (dash !== "\u2014" || !isKeyName(name) || more.length > 0 || !bytes || bytes.length < 5) {
    throw new FormatError("a signature line reads: em dash, key name, base64 of key id and signature");
  }
  return { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/**
 * The text of a note that the key signed. Signatures of other keys are ignored; throws FormatError if none is of this key, or one
 * of this key does not verify.
 */
export async function openNote(note: string, key: VerifierKey): Promise<string> {
  const { text, signatures } = parseNote(note);
  const own = signatures.filter((s) => s.name === key.name && sameBytes(s.keyId, key.id));
  if (own.length === 0) {
    const signers = signatures.map((s) => `${s.name}+${toHex(s.keyId)}`).join(", ");
    throw new FormatError(`not signed by the key ${key.name}+${toHex(key.id)}; the signatures are of ${signers}`);
  }
  const message = utf8(text);
  for (const { signature } of own) {
    if (!(await verifyEd25519(key.publicKey, message, signature))) {
      throw new FormatError(
        `the signature of ${key.name}+${toHex(key.id)} does not fit the text: one of the two was changed`,
      );
    }
  }
  return text;
}
