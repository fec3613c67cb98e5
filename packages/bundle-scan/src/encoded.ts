import { isUtf8 } from "node:buffer";
import type { Work } from "./findings.ts";

export interface Encoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly form: "base64" | "hexadecimal" | "percent-encoding";
}

const [SHORTEST, LONGEST] = [24, 8_192];

/** Bytes with something between them: `49 67`, `0x49, 0x67`, `\x49\x67`. */
const SPACED_HEX = /(?:(?:0x|\\x)?[0-9a-f]{2}[ ,:;-]{1,2}|\\x[0-9a-f]{2}){11,}(?:0x|\\x)?[0-9a-f]{2}/gi;

const isBase64 = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 0x2b ||
  code === 0x2f ||
  code === 0x2d ||
  code === 0x5f;

/** Texts that stand encoded in a text, each unit read once and decoded at most twice. */
export function* encodedTexts(text: string, work: Work): Generator<Encoded> {
  work.steps += 3 * text.length;
  for (let start = 0; start < text.length; ) {
    let end = start;
    while (end < text.length && isBase64(text.charCodeAt(end))) end++;
    if (end - start >= SHORTEST) {
      const run = text.slice(start, Math.min(end, start + LONGEST));
      const isHex = /^(?:[0-9a-f]{2})+$/i.test(run);
      const decoded = readable(Buffer.from(run, isHex ? "hex" : "base64"));
      if (decoded !== null) yield { start, end, text: decoded, form: isHex ? "hexadecimal" : "base64" };
    }
    start = end + 1;
  }
  for (const { 0: run, index } of text.matchAll(/(?:%[0-9a-fA-F]{2}){12,}/g)) {
    const decoded = readable(Buffer.from(run.slice(0, LONGEST).replaceAll("%", ""), "hex"));
    if (decoded !== null) yield { start: index, end: index + run.length, text: decoded, form: "percent-encoding" };
  }
  for (const { 0: run, index } of text.matchAll(SPACED_HEX)) {
    const decoded = readable(hexOf(run.slice(0, LONGEST)));
    if (decoded !== null) yield { start: index, end: index + run.length, text: decoded, form: "hexadecimal" };
  }
}

const hexOf = (run: string): Buffer => Buffer.from(run.replace(/0x|[^0-9a-f]/gi, ""), "hex");

/** Bytes as a text, if they are one with words in it. */
function readable(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  return text.includes(" ") && !/(?![\t\n\r\f\v])\p{Cc}/u.test(text) ? text : null;
}

/** Turns the letters of ASCII by 13 places. */
export function rot13(word: string): string {
  let turned = "";
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    turned += code >= 97 && code <= 122 ? String.fromCharCode(((code - 97 + 13) % 26) + 97) : word[at];
  }
  return turned;
}
