import { randomFillSync } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Every prefix an id of ours can carry; the whole list is contract. */
export const idPrefixes = [
  "tsk",
  "aud",
  "apr",
  "evt",
  "stp",
  "pol",
  "whk",
  "dlv",
  "key",
  "mbr",
  "kb",
  "doc",
  "ds",
  "run",
  "cnv",
  "msg",
  "msn",
  "wfl",
  "wfr",
  "lst",
  "ver",
  "dep",
  "trn",
  "req",
  "ksw",
  "exp",
  "bat",
  "ses",
  "lnk",
  "inv",
  "psk",
  "mon",
  "rev",
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/** Makes ids `<prefix>_<26 characters of lower-case Crockford base 32>`: 48 bits of time, then 80 random bits, so that they sort by time: `at` (milliseconds), or now. */
export type NewId = (prefix: IdPrefix, at?: number) => string;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const poolBytes = 4096;

/** An id generator over a clock and a source of random bytes (`fill` overwrites the whole buffer). */
export function createIds(
  clock: Clock,
  fill: (buffer: Uint8Array) => void = (buffer) => void randomFillSync(buffer),
): NewId {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  return (prefix, at = clock.now()) => {
    if (used + 16 > poolBytes) {
      fill(pool);
      used = 0;
    }
    let random = "";
    for (let i = 0; i < 16; i++) random += alphabet[(pool[used + i] as number) & 31];
    used += 16;
    return `${prefix}_${timePart(at)}${random}`;
  };
}

/** The ten leading characters of every id made at `ms`; with zeros behind them, the lowest id of that millisecond. */
export function timePart(ms: number): string {
  let rest = ms;
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The lowest id with this prefix that can be made at or after `ms`: the bound of a time range over ids. */
export function lowestId(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${timePart(ms)}${"0".repeat(16)}`;
}

/** The time at which an id was made, in milliseconds; undefined where the text is not an id. */
export function timeOfId(id: string): number | undefined {
  const body = id.slice(id.indexOf("_") + 1);
  if (!/^[0-9a-hjkmnp-tv-z]{26}$/.test(body)) return undefined;
  let ms = 0;
  for (let i = 0; i < 10; i++) ms = ms * 32 + alphabet.indexOf(body[i] as string);
  return ms;
}

/** Whether a text can be an id with one of these prefixes; what cannot be one is 404 without a look-up. */
export function isId(text: string, ...prefixes: IdPrefix[]): boolean {
  const cut = text.indexOf("_");
  return prefixes.includes(text.slice(0, cut) as IdPrefix) && timeOfId(text) !== undefined;
}
