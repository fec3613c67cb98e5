import { BundleFault, type BundlePlace } from "./faults.ts";

/** Standard base64 with padding (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The bytes of a canonical base64 text. Throws the fault `base64` unless encoding them again gives the same text. */
export function fromBase64(text: string, place: BundlePlace): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw new BundleFault("base64", place, "This base64 is not canonical.");
  return bytes;
}
