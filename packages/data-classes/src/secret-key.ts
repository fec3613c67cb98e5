import { isAlphanumeric, isDigit, isLower, isSpace, isUpper, isWord, type Text } from "./characters.ts";
import { base62Checksum } from "./checksums.ts";
import type { Found } from "./classes.ts";
import { type SecretFormat, secretFormats } from "./secret-formats.ts";

/*
 * Secrets that give themselves away: by the prefix of their issuer, by the form of a token or a key block, by being the password in an address.
 */
const OWN_KEY = 46;
const FEWEST_DISTINCT = 8;
/** The longest part of a JSON Web Token that is read. */
const LONGEST_PART = 8192;
const LONGEST_USERINFO = 256;
const AWS_SECRET = 40;

/** Formats by the first two characters of their prefix, so that a word costs one look-up. */
const byStart = new Map<number, SecretFormat[]>();
const pair = (first: number, second: number): number => first * 128 + second;
const starts = new Uint8Array(128 * 128);
for (const format of secretFormats) {
  const key = pair(format.prefix.charCodeAt(0), format.prefix.charCodeAt(1));
  byStart.set(key, [...(byStart.get(key) ?? []), format]);
  starts[key] = 1;
}
for (const other of ["ao", "ey", "SG", "aw", "AW", "se", "Se", "SE"])
  starts[pair(other.charCodeAt(0), other.charCodeAt(1))] = 1;

/** Whether the word at `start` begins like a key: one look-up, which few words pass. */
export function mayBeginSecret(text: Text, start: number): boolean {
  const first = text.charCodeAt(start);
  const second = text.charCodeAt(start + 1);
  return first < 128 && second < 128 && starts[pair(first, second)] === 1;
}

/** A key or token that begins at `start`, where a word begins; `mayBeginSecret` holds there. */
export function secretAt(text: Text, start: number): Found | null {
  if (text.charCodeAt(start - 1) === 0x2d) return null;
  if (text.startsWith("aos_", start)) return ownKeyAt(text, start);
  if (text.startsWith("eyJ", start)) return dottedAt(text, start, "json_web_token", jwtParts);
  if (text.startsWith("SG.", start)) return dottedAt(text, start, "sendgrid_key", sendgridParts);
  for (const format of byStart.get(pair(text.charCodeAt(start), text.charCodeAt(start + 1))) ?? []) {
    if (!text.startsWith(format.prefix, start)) continue;
    const found = prefixedAt(text, start, format);
    if (found !== null) return found;
  }
  return null;
}

const secret = (format: string, start: number, end: number): Found => ({ kind: "secret_key", format, start, end });

const OWN_FORM = /^aos_(dev|stg|prd)_[0-9A-Za-z]{38}$/;
const isOwnKey = (key: string): boolean => OWN_FORM.test(key) && key.endsWith(base62Checksum(key.slice(0, -6)));

/** A key of the Agent Operations Service: its checksum tells it from everything else. */
function ownKeyAt(text: Text, start: number): Found | null {
  const end = start + OWN_KEY;
  return !isWord(text.charCodeAt(end)) && isOwnKey(text.slice(start, end)) ? secret("aos_key", start, end) : null;
}

function prefixedAt(text: Text, start: number, { format, prefix, made, least, most }: SecretFormat): Found | null {
  const from = start + prefix.length;
  let end = from;
  while (end - from <= most && isMadeOf(text.charCodeAt(end), made)) end++;
  const length = end - from;
  if (length < least || length > most || isWord(text.charCodeAt(end))) return null;
  return looksRandom(text.slice(from, end), made === "u") ? secret(format, start, end) : null;
}

function isMadeOf(code: number, made: SecretFormat["made"]): boolean {
  if (made === "x") return isDigit(code) || (code >= 97 && code <= 102);
  if (made === "u") return isDigit(code) || isUpper(code);
  return isAlphanumeric(code) || (made === "w" && (code === 0x5f || code === 0x2d));
}

/** Whether a text has eight different characters at least and, where it can, two of digits, small and capital letters: not `xxxxxxxx`, not your-token-here. */
function looksRandom(text: string, capitalsOnly = false): boolean {
  const seen = new Set<string>();
  let kinds = 0;
  for (const character of text) {
    seen.add(character);
    const code = character.charCodeAt(0);
    kinds |= isDigit(code) ? 1 : isUpper(code) ? 2 : isLower(code) ? 4 : 0;
  }
  return seen.size >= FEWEST_DISTINCT && (capitalsOnly || (kinds & (kinds - 1)) !== 0);
}

type Parts = readonly { readonly least: number; readonly begins: string }[];
const jwtParts: Parts = [
  { least: 12, begins: "eyJ" },
  { least: 4, begins: "ey" },
  { least: 16, begins: "" },
];
const sendgridParts: Parts = [
  { least: 2, begins: "SG" },
  { least: 16, begins: "" },
  { least: 32, begins: "" },
];

/** Parts of the base64url alphabet between full stops: JSON Web Tokens (RFC 7515, compact form; `eyJ` is how `{"` begins) and the like. */
function dottedAt(text: Text, start: number, format: string, parts: Parts): Found | null {
  let at = start;
  for (const [index, { least, begins }] of parts.entries()) {
    if (index > 0 && text.charCodeAt(at++) !== 0x2e) return null;
    if (!text.startsWith(begins, at)) return null;
    const from = at;
    while (at - from < LONGEST_PART && isMadeOf(text.charCodeAt(at), "w")) at++;
    if (at - from < least) return null;
  }
  return secret(format, start, at);
}

const BEGIN = "-----BEGIN ";
const END = "-----END ";
/** The longest label of a block, such as `OPENSSH PRIVATE KEY`. */
const LONGEST_LABEL = 48;
/** A line of a key is longer than any word. */
const LEAST_KEY = 24;

/**
 * A block with a private key (RFC 7468; OpenSSH and OpenPGP alike) whose first hyphen stands at `start`, up to the end of its last line. A block that was
 * cut off ends with its base64.
 */
export function keyBlockAt(text: Text, start: number): Found | null {
  if (!text.startsWith(BEGIN, start)) return null;
  const label = text.slice(start + BEGIN.length, start + BEGIN.length + LONGEST_LABEL);
  const labelEnd = label.indexOf("-----");
  if (labelEnd < 0 || !label.slice(0, labelEnd).includes("PRIVATE KEY")) return null;
  const { end, key } = readBlock(text, start + BEGIN.length + labelEnd + 5);
  if (key < 0) return null;
  const closing = text.startsWith(END, end)
    ? text.slice(end + END.length, end + END.length + LONGEST_LABEL).indexOf("-----")
    : -1;
  return secret("private_key_block", start, closing < 0 ? key : end + END.length + closing + 5);
}

/** Where the inside of a block ends, and the end of the last long piece of base64 in it: of the key itself; -1 where there is only talk about keys. */
function readBlock(text: Text, start: number): { end: number; key: number } {
  let end = start;
  let key = -1;
  let run = 0;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (!isOfBlock(code) || (code === 0x2d && text.startsWith("-----", end))) break;
    run = isAlphanumeric(code) || code === 0x2b || code === 0x2f || code === 0x3d ? run + 1 : 0;
    if (run >= LEAST_KEY) key = end + 1;
  }
  return { end, key };
}

/** Base64, the headers of encrypted and OpenPGP blocks, and line ends, also where they are written `\n`. */
function isOfBlock(code: number): boolean {
  return (
    isAlphanumeric(code) ||
    isSpace(code) ||
    code === 10 ||
    code === 13 ||
    "+/=-,:.\\()".includes(String.fromCharCode(code))
  );
}

/**
 * What stands between `//` and an `@` at `at` in an address such as `postgres://user:password@host`: `inside` when the `@` belongs to an address, with
 * the password, unless that is a variable (`$NAME`, `{name}`, `<name>`, `***`).
 */
export function userinfoBefore(text: Text, at: number): { readonly inside: boolean; readonly found: Found | null } {
  let start = at;
  let colon = -1;
  while (start > 0 && at - start <= LONGEST_USERINFO) {
    const code = text.charCodeAt(start - 1);
    if (isSpace(code) || code < 32 || code === 0x2f || code === 0x40 || code === 0x22) break;
    start--;
    if (code === 0x3a) colon = start;
  }
  const inside =
    colon > start &&
    text.charCodeAt(start - 1) === 0x2f &&
    text.charCodeAt(start - 2) === 0x2f &&
    text.charCodeAt(start - 3) === 0x3a;
  if (!inside || colon + 1 === at) return { inside, found: null };
  const variable = "$<{[*%".includes(text.slice(colon + 1, colon + 2));
  return { inside, found: variable ? null : secret("url_password", colon + 1, at) };
}

/** The secret half of an AWS key, which has no prefix: 40 characters of base64 behind its name, or in a member of that name. */
export function namedSecretAt(text: Text, start: number, end: number): Found | null {
  if (end - start < 15 || end - start > 21 || !isAwsName(text.slice(start, end))) return null;
  let from = end;
  while (from < end + 6 && (isSpace(text.charCodeAt(from)) || "\"'=:>".includes(text.slice(from, from + 1) || " ")))
    from++;
  return from > end ? awsSecretAt(text, from) : null;
}

/** As namedSecretAt, for the whole text of a member with that name. */
export function memberSecret(text: Text, name: string): Found | null {
  return text.length === AWS_SECRET && isAwsName(name) ? awsSecretAt(text, 0) : null;
}

const isAwsName = (name: string): boolean => /^(?:aws_?)?secret_?access_?key$/i.test(name);

function awsSecretAt(text: Text, start: number): Found | null {
  const isBase64 = (code: number): boolean => isAlphanumeric(code) || code === 0x2b || code === 0x2f;
  let end = start;
  while (end - start <= AWS_SECRET && isBase64(text.charCodeAt(end))) end++;
  return end - start === AWS_SECRET && looksRandom(text.slice(start, end))
    ? secret("aws_secret_key", start, end)
    : null;
}
