import { createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Ed25519Signer } from "@aos/proof";

/** A signer over an Ed25519 private key. Throws TypeError for a key of another kind. */
export function createSigner(privateKey: KeyObject): Ed25519Signer {
  if (privateKey.asymmetricKeyType !== "ed25519") throw new TypeError("the audit log is signed with an Ed25519 key");
  const { x } = createPublicKey(privateKey).export({ format: "jwk" });
  return { publicKey: Buffer.from(x as string, "base64url"), sign: (message) => sign(null, message, privateKey) };
}
