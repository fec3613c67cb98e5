import { hash } from "node:crypto";

/** SHA-256 (FIPS 180-4) of bytes, or of the UTF-8 form of a text: 32 bytes. */
export function sha256(data: Uint8Array | string): Uint8Array {
  return hash("sha256", data, "buffer");
}

/** The same as lower-case hexadecimal. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash("sha256", data, "hex");
}
