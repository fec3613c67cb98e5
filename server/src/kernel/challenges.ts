import { createHmac, timingSafeEqual } from "node:crypto";
import { drawSecret } from "./sessions.ts";

/** How long a browser may take to answer a challenge (milliseconds). */
export const challengeLasts = 5 * 60_000;

const randomBytes = 32;
const timeBytes = 6;

/**
 * Challenges for passkeys (Web Authentication, section 13.4.3) that need no row until they are answered: 32 random bytes, the time of the end, and an HMAC over
 * both and what the challenge is for. Whoever accepts one notes that it was used.
 */
export class Challenges {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** A challenge in base64url for `purpose`, such as signing in. */
  issue(purpose: string, now: number): string {
    const end = Buffer.alloc(timeBytes);
    end.writeUIntBE(now + challengeLasts, 0, timeBytes);
    const open = Buffer.concat([Buffer.from(drawSecret(), "base64url"), end]);
    return Buffer.concat([open, this.#seal(purpose, open)]).toString("base64url");
  }

  /** Whether a challenge was issued here for that purpose, and is not over. */
  accepts(purpose: string, challenge: string, now: number): boolean {
    const bytes = Buffer.from(challenge, "base64url");
    const open = bytes.subarray(0, randomBytes + timeBytes);
    const seal = bytes.subarray(randomBytes + timeBytes);
    const expected = this.#seal(purpose, open);
    return (
      seal.length === expected.length &&
      timingSafeEqual(seal, expected) &&
      open.readUIntBE(randomBytes, timeBytes) > now
    );
  }

  #seal(purpose: string, open: Uint8Array): Buffer {
    return createHmac("sha256", this.#key).update(`${purpose}\0`).update(open).digest();
  }
}
