import { createPublicKey, type KeyObject, verify } from "node:crypto";

const keys = new Map<string, KeyObject>();

/** Whether `signature` (64 bytes) is the Ed25519 signature (RFC 8032) of `message` under the 32-byte public key. */
export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  return verify(null, message, keyObject(publicKey), signature);
}

function keyObject(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString("base64url");
  let key = keys.get(x);
  if (!key) {
    key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    if (keys.size > 100) keys.clear();
    keys.set(x, key);
  }
  return key;
}
