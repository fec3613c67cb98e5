import { randomBytes } from "node:crypto";
import { generateKey, hashKey, startAndLastFour } from "../../kernel/key-format.ts";
import type { Environment } from "../../kernel/principal.ts";

/** A new key and what is kept of it. `secret` is for the caller's answer and nothing else. */
export interface DrawnKey {
  readonly secret: string;
  readonly hash: Buffer;
  readonly start: string;
  readonly lastFour: string;
}

/** Draws a key from a cryptographic source of random bytes: unless told, that of the operating system, as ids do. */
export function drawKey(environment: Environment, random: (count: number) => Uint8Array = randomBytes): DrawnKey {
  const secret = generateKey(environment, random);
  const { start, last_four } = startAndLastFour(secret);
  return { secret, hash: hashKey(secret), start, lastFour: last_four };
}
