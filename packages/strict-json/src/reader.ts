import { isAscii, isUtf8 } from "node:buffer";
import { faultsOf, type JsonFault, type StrictJsonLimits } from "./faults.ts";

/** What reading gave: the value, or the first fault and all that were found beside it (at most 20). */
export type StrictJsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: JsonFault; readonly faults: readonly JsonFault[] };

/** What is wrong with a body. */
export type JsonFaults = Extract<StrictJsonResult, { ok: false }>;

/** This module, for a thread that calls `strictJsonFaults`. */
export const readerModule = new URL(import.meta.url);

/** What nearly every text keeps to: of a body of 1 MiB no more is built than takes a few milliseconds. */
export const ORDINARY_LIMITS: StrictJsonLimits = { depth: 32, members: 1_000, values: 10_000 };

/**
 * Reads one body as I-JSON (RFC 7493) and nothing else: valid UTF-8 without byte order mark, no name twice in an object
 * (compared after escapes), no NUL, lone surrogate or noncharacter in text, no number beyond a double (infinite, or a whole number outside
 * ±(2^53−1)), no nesting, members and values over the limits, nothing after the value. `__proto__` as a name is refused: no honest body has it.
 *
 * Two passes: a quick one that only asks whether anything could be wrong, and, when something could, a careful one that says what
 * and where. The value itself always comes from `JSON.parse`, so that reading can differ from it in refusing only. Both are linear.
 */
export function readStrictJson(bytes: Buffer, limits: StrictJsonLimits = ORDINARY_LIMITS): StrictJsonResult {
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return refused(notUtf8(bytes, limits));
  const text = ascii ? bytes.toString("latin1") : bytes.toString("utf8");
  const members = ascii || !/\uFEFF|\p{Noncharacter_Code_Point}/u.test(text) ? plainMembers(text, limits) : SUSPICIOUS;
  if (members !== SUSPICIOUS) {
    try {
      const value: unknown = JSON.parse(text);
      if (countMembers(value) === members) return { ok: true, value };
    } catch {
      // Broken text: the careful pass below says where.
    }
  }
  const faults = faultsOf(text, limits);
  return faults.length > 0 ? refused(faults) : { ok: true, value: JSON.parse(text) as unknown };
}

/** The faults of a body, null without one; for a thread, to which and from which values are copied. */
export function strictJsonFaults({
  bytes,
  limits,
}: {
  readonly bytes: Uint8Array;
  readonly limits: StrictJsonLimits;
}): JsonFaults | null {
  const read = readStrictJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits);
  return read.ok ? null : read;
}

function refused(faults: readonly JsonFault[]): StrictJsonResult {
  // What ended the reading wins: a text that is no JSON has no names that could be given twice.
  return { ok: false, fault: faults.find((fault) => fault.status !== 422) ?? faults[0]!, faults };
}

const SUSPICIOUS = -1;

/**
 * The quick pass: how many colons stand outside text (one per member of an object), or SUSPICIOUS when the careful pass is needed:
 * a `\u` escape, a number that is long or has an exponent, more of something than its limit. It need not understand the grammar: JSON.parse does.
 * Of values it counts no fewer than there are: one for each comma and each bracket that opens.
 */
function plainMembers(text: string, limits: StrictJsonLimits): number {
  let members = 0;
  let values = 1;
  let depth = 0;
  const byDepth = new Uint32Array(limits.depth + 1);
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = endOfPlainText(text, at + 1);
      if (at < 0) return SUSPICIOUS;
    } else if (char === 0x3a) {
      members++;
      if (++byDepth[depth]! > limits.members) return SUSPICIOUS;
    } else if (char === 0x2c) {
      if (++values > limits.values) return SUSPICIOUS;
    } else if (char === 0x7b || char === 0x5b) {
      if (++depth > limits.depth || ++values > limits.values) return SUSPICIOUS;
      byDepth[depth] = 0;
    } else if (char === 0x7d || char === 0x5d) {
      depth--;
    } else if (char >= 0x30 && char <= 0x39) {
      at = endOfPlainNumber(text, at) - 1;
      if (at < 0) return SUSPICIOUS;
    }
  }
  return members;
}

/** Where the closing quotation mark stands, or −1 when there is none or the text has a `\u` escape. */
function endOfPlainText(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return at;
    if (char === 0x5c && text.charCodeAt(++at) === 0x75) return -1;
  }
  return -1;
}

/** Where a number ends, or −1 when it has an exponent or more than 15 characters (every whole number of 15 digits is exact in a double). */
function endOfPlainNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x65 || char === 0x45) return -1;
    if (!((char >= 0x30 && char <= 0x39) || char === 0x2e)) break;
  }
  return at - start > 15 ? -1 : at;
}

/** Members of all objects in a parsed value; fewer than in the text when a name was given twice. NaN, which equals nothing, for `__proto__`. */
function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") members += countMembers(item);
    return members;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    if (name === "__proto__") return Number.NaN;
    const item = object[name];
    members += typeof item === "object" ? 1 + countMembers(item) : 1;
  }
  return members;
}

const CHUNK = 4096;

/** The place of the first byte that is no UTF-8: by chunks that end between characters, then by characters. */
function notUtf8(bytes: Buffer, limits: StrictJsonLimits): JsonFault[] {
  let good = 0;
  for (;;) {
    let end = Math.min(good + CHUNK, bytes.length);
    while (end > good && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    if (end === good || !isUtf8(bytes.subarray(good, end))) break;
    good = end;
  }
  while (isUtf8(bytes.subarray(good, good + characterLength(bytes[good]!)))) good += characterLength(bytes[good]!);
  const prefix = bytes.toString("utf8", 0, good);
  const place = faultsOf(prefix, limits).find((fault) => fault.status === 400);
  const lines = prefix.split("\n");
  return [
    {
      code: "not_utf8",
      status: 400,
      pointer: place?.pointer ?? "",
      line: lines.length,
      column: [...lines[lines.length - 1]!].length + 1,
      detail: `The body is not valid UTF-8: byte ${good} (counted from 0) begins no character. Send JSON encoded as UTF-8.`,
    },
  ];
}

/** Bytes of the character that a lead byte announces (RFC 3629 section 3). */
function characterLength(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
