import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { fromBase64, toBase64 } from "./base64.ts";
import { BundleFault, type BundlePlace } from "./faults.ts";

/** A public key as it travels. */
export interface PublicKey {
  /** `sha256:` and the SHA-256 of the SPKI DER, in lower-case hexadecimal. */
  readonly key_id: string;
  /** Base64 of the SPKI DER (RFC 8410). */
  readonly public_key: string;
}

/** A signing key. The private half leaves the process only through `exportPrivateKey`. */
export interface SigningKey {
  readonly publicKey: PublicKey;
  readonly privateKey: KeyObject;
}

// SEQUENCE { SEQUENCE { OID 1.3.101.112 }, BIT STRING of 32 bytes }: the only DER of an Ed25519 key (RFC 8410 section
// 4).
const SPKI_START = Buffer.from("302a300506032b6570032100", "hex");
const SPKI_LENGTH = 44;
const KEY: BundlePlace = { part: "key", at: "" };

/** Makes an Ed25519 key for a publisher. */
export function makeKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

/** The public half of a private key, as it travels. Throws the fault `key_form` for keys other than Ed25519. */
export function publicKeyOf(privateKey: KeyObject): PublicKey {
  if (privateKey.asymmetricKeyType !== "ed25519")
    throw new BundleFault("key_form", KEY, `This key is ${privateKey.asymmetricKeyType ?? "symmetric"}.`);
  const der = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return { key_id: keyIdOf(der), public_key: toBase64(der) };
}

/** The key id of an SPKI DER. */
export function keyIdOf(spki: Uint8Array): string {
  return `sha256:${createHash("sha256").update(spki).digest("hex")}`;
}

/** Base64 of the PKCS #8 DER of a private key: a secret, to be stored encrypted. */
export function exportPrivateKey(privateKey: KeyObject): string {
  return toBase64(privateKey.export({ format: "der", type: "pkcs8" }));
}

/**
 * Reads what `exportPrivateKey` wrote. Throws the fault `key_form` or `base64` for anything else; the message does not
 * quote it.
 */
export function importPrivateKey(text: string): SigningKey {
  const der = fromBase64(text, KEY);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  } catch {
    throw new BundleFault("key_form", KEY, "This is no private key in PKCS #8 DER.");
  }
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

/** Reads a public key and holds its id against it. Throws the faults `base64`, `key_form` and `key_id`. */
export function importPublicKey({ key_id, public_key }: PublicKey, place: BundlePlace = KEY): KeyObject {
  const der = fromBase64(public_key, place);
  if (der.length !== SPKI_LENGTH || !der.subarray(0, SPKI_START.length).equals(SPKI_START))
    throw new BundleFault("key_form", place, "This is no Ed25519 public key in SPKI DER.");
  const actual = keyIdOf(der);
  if (actual !== key_id) throw new BundleFault("key_id", place, `The id of this key is ${actual}.`);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}
