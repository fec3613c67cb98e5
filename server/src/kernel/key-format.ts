import { hash } from "node:crypto";
import { base62Checksum } from "@aos/data-classes";
import { type Environment, environments } from "./principal.ts";

/*
 * API keys: aos_<dev|stg|prd>_<32 base 62><6 base 62 CRC-32>. The checksum (CRC-32 of ISO 3309, over all that stands before it) lets a mistyped
 * key be refused without a database, and the fixed form lets secret scanners find a leaked one: /aos_(dev|stg|prd)_[0-9A-Za-z]{38}/.
 */

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const LABELS: Readonly<Record<Environment, string>> = { development: "dev", staging: "stg", production: "prd" };
const FORM = /^aos_(dev|stg|prd)_[0-9A-Za-z]{38}$/;
/** The largest multiple of 62 that a byte can stay below: larger bytes are drawn again, so that every character is equally likely. */
const EVEN = 248;

export type ParsedKey =
  | { readonly ok: true; readonly environment: Environment }
  /** `malformed`: not of the form of a key. `checksum`: of the form, but mistyped. */
  | { readonly ok: false; readonly reason: "malformed" | "checksum" };

/** A new key: 32 characters of 62, about 190 bits. `randomBytes` is a cryptographic source, such as that of `node:crypto`. */
export function generateKey(environment: Environment, randomBytes: (count: number) => Uint8Array): string {
  let secret = "";
  while (secret.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH - secret.length)) if (byte < EVEN) secret += BASE62[byte % 62]!;
  }
  const body = `aos_${LABELS[environment]}_${secret}`;
  return body + base62Checksum(body);
}

/** Checks form and checksum and reads the environment. Says nothing about whether the key exists. */
export function parseKey(text: string): ParsedKey {
  const match = FORM.exec(text);
  if (match === null) return { ok: false, reason: "malformed" };
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (base62Checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return { ok: false, reason: "checksum" };
  return { ok: true, environment: environments.find((environment) => LABELS[environment] === match[1])! };
}

/** Whether a text has the form of a key and its checksum fits; most mistyped keys are answered by this alone. */
export function isWellFormedKey(text: string): boolean {
  return parseKey(text).ok;
}

/** What may be shown of a key ever after: its prefix with four characters, and its last four. Takes a key of the right form only. */
export function startAndLastFour(key: string): { start: string; last_four: string } {
  if (!FORM.test(key)) throw new TypeError("not a key");
  return { start: key.slice(0, 12), last_four: key.slice(-4) };
}

/** What is stored instead of the key: its SHA-256 (32 bytes). A key has 190 random bits, so that a slow hash would add nothing. */
export function hashKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
