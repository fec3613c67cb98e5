import { createHash, hash } from "node:crypto";

/** SHA-256 (FIPS 180-4) of bytes, or of the UTF-8 form of a text: 32 bytes. */
export function sha256(data: Uint8Array | string): Uint8Array {
  return hash("sha256", data, "buffer");
}

/** The same as lower-case hexadecimal. */
export function sha256Hex(data: Uint8Array | string): string {
  return hash("sha256", data, "hex");
}

/** The hash of bytes that come in pieces. */
export interface Sha256Stream {
  update(bytes: Uint8Array): void;
  /** The hash of all pieces as lower-case hexadecimal; once, at the end. */
  hex(): string;
}

/** Begins a hash of bytes that come in pieces. */
export function sha256Stream(): Sha256Stream {
  const running = createHash("sha256");
  return { update: (bytes) => void running.update(bytes), hex: () => running.digest("hex") };
}
