import { type KeyObject, sign, verify } from "node:crypto";
import { fromBase64, toBase64 } from "./base64.ts";
import type { BundlePlace } from "./faults.ts";
import { base64Length } from "./limits.ts";
import { list, literal, object, type Shape, text } from "./shapes.ts";
import { keyId } from "./words.ts";

/** A DSSE envelope with exactly one signature (https://github.com/secure-systems-lab/dsse). */
export interface Envelope<Type extends string = string> {
  readonly payloadType: Type;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

const SIGNATURE_LENGTH = 64;

/** Shape of an envelope whose payload has at most `most` bytes. */
export function envelopeShape<Type extends string>(payloadType: Type, most: number): Shape<Envelope<Type>> {
  return object({
    payloadType: literal(payloadType),
    payload: text(base64Length(most)),
    signatures: list(object({ keyid: keyId, sig: text(base64Length(SIGNATURE_LENGTH)) }), { least: 1, most: 1 }),
  });
}

/** Pre-authentication encoding of DSSE v1: the bytes that are signed. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType, "utf8");
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `, "latin1"),
    type,
    Buffer.from(` ${payload.length} `, "latin1"),
    payload,
  ]);
}

/** Signs a payload with an Ed25519 key. */
export function signEnvelope<Type extends string>(
  payloadType: Type,
  payload: string,
  key: { readonly key_id: string; readonly privateKey: KeyObject },
): Envelope<Type> {
  const bytes = Buffer.from(payload, "utf8");
  const sig = sign(null, preAuthenticationEncoding(payloadType, bytes), key.privateKey);
  return { payloadType, payload: toBase64(bytes), signatures: [{ keyid: key.key_id, sig: toBase64(sig) }] };
}

/** An envelope whose base64 is decoded; nothing is verified yet. */
export interface DecodedEnvelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly keyid: string;
  readonly signature: Buffer;
}

/** Decodes an envelope that has its shape. Throws the fault `base64`. */
export function decodeEnvelope({ payloadType, payload, signatures }: Envelope, place: BundlePlace): DecodedEnvelope {
  const { keyid, sig } = signatures[0]!;
  const at = (pointer: string): BundlePlace => ({ ...place, at: `${place.at}${pointer}` });
  return {
    payloadType,
    payload: fromBase64(payload, at("/payload")),
    keyid,
    signature: fromBase64(sig, at("/signatures/0/sig")),
  };
}

/** Whether the key signed the envelope. */
export function isSignedBy({ payloadType, payload, signature }: DecodedEnvelope, publicKey: KeyObject): boolean {
  return (
    signature.length === SIGNATURE_LENGTH &&
    verify(null, preAuthenticationEncoding(payloadType, payload), publicKey, signature)
  );
}
