import { shortened } from "@aos/text";
import { pointerOf } from "./json-pointer.ts";

export interface StrictJsonLimits {
  /** How deep objects and arrays may stand in one another; the outermost counts 1. */
  readonly depth: number;
  /** Members that one object may have. */
  readonly members: number;
  /** Values of the whole text: every text, number, boolean, null, object and array counts 1. */
  readonly values: number;
}

export type JsonFaultCode =
  | "empty_body"
  | "not_utf8"
  | "byte_order_mark"
  | "syntax"
  | "trailing_text"
  | "too_deep"
  | "too_many_members"
  | "too_many_values"
  | "duplicate_name"
  | "forbidden_name"
  | "nul_character"
  | "lone_surrogate"
  | "noncharacter"
  | "number_out_of_range";

/** One fault of a JSON text with its place. */
export interface JsonFault {
  readonly code: JsonFaultCode;
  /** 400: the text could not be parsed. 413: it has more members or values than are read. 422: it is JSON, but not I-JSON. */
  readonly status: 400 | 413 | 422;
  /** JSON Pointer (RFC 6901) of the value, or of the innermost value being read when the text broke off. Names of over 200 characters are shortened. */
  readonly pointer: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters (code points) of the line. */
  readonly column: number;
  readonly detail: string;
}

const MOST_FAULTS = 20;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
// Text without quotation mark, backslash and control characters, in one step.
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 section 7 names exactly these.
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Thrown inside this file when the text cannot be read on. */
class Broken extends Error {}

interface Level {
  /** Names seen so far in an object; null for an array. */
  readonly names: Set<string> | null;
  /** The name or the index being read; null before the first and while a name is read. */
  token: string | number | null;
  /** Members read so far, those whose name was given before included. */
  members: number;
}

/**
 * The careful pass: every fault of a JSON text against RFC 8259 and RFC 7493, in the order of the text, at most 20. Faults of content
 * (names given twice, numbers, characters) are collected; broken syntax and what is beyond a limit end the reading. Linear, and without recursion.
 */
export function faultsOf(text: string, limits: StrictJsonLimits): JsonFault[] {
  const reader = new Reader(text, limits);
  try {
    reader.document();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  }
  return reader.faults;
}

class Reader {
  readonly faults: JsonFault[] = [];
  private readonly text: string;
  private readonly limits: StrictJsonLimits;
  private readonly levels: Level[] = [];
  private at = 0;
  private values = 0;

  constructor(text: string, limits: StrictJsonLimits) {
    this.text = text;
    this.limits = limits;
  }

  document(): void {
    if (this.text.charCodeAt(0) === 0xfeff) {
      this.broken("byte_order_mark", 0, "The body begins with a byte order mark. Send plain UTF-8 without one.");
    }
    this.space();
    if (this.at >= this.text.length) this.broken("empty_body", this.at, "The body is empty. Send one JSON value.");
    let opened = this.value();
    while (this.levels.length > 0) {
      const closed = !opened && this.close();
      if (!closed) this.member();
      opened = !closed && this.value();
    }
    this.space();
    if (this.at < this.text.length) {
      this.broken("trailing_text", this.at, "Something follows after the JSON value. Send exactly one value.");
    }
  }

  /** Reads a whole scalar or an empty container (false), or the opening of a container that has members (true). */
  private value(): boolean {
    this.space();
    if (++this.values > this.limits.values) this.tooMany("too_many_values", tooManyValues(this.limits.values));
    const char = this.text[this.at];
    if (char === "{" || char === "[") return this.openContainer(char);
    if (char === '"') this.string(this.at);
    else if (char !== undefined && (char === "-" || (char >= "0" && char <= "9"))) this.number();
    else if (!this.literal("true") && !this.literal("false") && !this.literal("null")) this.unexpected("a JSON value");
    return false;
  }

  private openContainer(char: "{" | "["): boolean {
    if (this.levels.length >= this.limits.depth) {
      this.broken("too_deep", this.at, `The body nests deeper than ${this.limits.depth} levels. Send a flatter one.`);
    }
    this.at++;
    this.space();
    if (this.text[this.at] === (char === "{" ? "}" : "]")) {
      this.at++;
      return false;
    }
    this.levels.push({ names: char === "{" ? new Set() : null, token: null, members: 0 });
    return true;
  }

  /** After a value: a comma, and the same container goes on (false), or its end (true; then the same question again one level out). */
  private close(): boolean {
    this.space();
    const level = this.levels[this.levels.length - 1]!;
    const char = this.text[this.at];
    if (char === ",") {
      this.at++;
      return false;
    }
    if (char !== (level.names ? "}" : "]")) this.unexpected(level.names ? "`,` or `}`" : "`,` or `]`");
    this.at++;
    this.levels.pop();
    return true;
  }

  /** The name and the colon before a member of an object, or the next index of an array. */
  private member(): void {
    const level = this.levels[this.levels.length - 1]!;
    if (level.names === null) {
      level.token = typeof level.token === "number" ? level.token + 1 : 0;
      return;
    }
    this.space();
    const start = this.at;
    if (this.text[start] !== '"') this.unexpected("a name in quotation marks");
    level.token = null;
    if (++level.members > this.limits.members) this.tooMany("too_many_members", tooManyMembers(this.limits.members));
    const name = this.string(start);
    level.token = name;
    if (level.names.has(name)) {
      this.fault("duplicate_name", start, `The name ${shown(name)} is given twice in one object. Give it once.`);
    } else if (name === "__proto__") {
      this.fault("forbidden_name", start, "The name `__proto__` is not allowed. Use another one.");
    }
    level.names.add(name);
    this.space();
    if (this.text[this.at] !== ":") this.unexpected("`:` after the name");
    this.at++;
  }

  private string(start: number): string {
    let value = "";
    this.at = start + 1;
    for (;;) {
      UNESCAPED.lastIndex = this.at;
      value += UNESCAPED.exec(this.text)![0];
      this.at = UNESCAPED.lastIndex;
      const char = this.text[this.at];
      if (char === '"') break;
      if (char !== "\\") {
        if (char === undefined)
          this.broken("syntax", this.at, "The body ends inside a text. Close it with a quotation mark.");
        this.broken(
          "syntax",
          this.at,
          "A control character stands unescaped in a text. Write it as an escape such as \\n.",
        );
      }
      value += this.escape();
    }
    this.at++;
    this.checkCharacters(value, start);
    return value;
  }

  private escape(): string {
    const kind = this.text[this.at + 1] ?? "";
    if (kind === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
        this.broken("syntax", this.at, "A \\u escape needs four hexadecimal digits.");
      }
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = Object.hasOwn(ESCAPES, kind) ? ESCAPES[kind] : undefined;
    if (character === undefined)
      this.broken("syntax", this.at, 'An unknown escape. JSON knows \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX.');
    this.at += 2;
    return character!;
  }

  private checkCharacters(value: string, start: number): void {
    if (value.includes("\u0000"))
      this.fault("nul_character", start, "A text holds the NUL character (U+0000). Leave it out.");
    if (!value.isWellFormed())
      this.fault("lone_surrogate", start, "A text holds half of a surrogate pair. Send whole characters.");
    else if (/\p{Noncharacter_Code_Point}/u.test(value)) {
      this.fault(
        "noncharacter",
        start,
        "A text holds a code point that Unicode keeps from use (a noncharacter). Leave it out.",
      );
    }
  }

  private number(): void {
    const start = this.at;
    NUMBER.lastIndex = start;
    const match = NUMBER.exec(this.text);
    if (match === null) this.unexpected("a digit after `-`");
    this.at = NUMBER.lastIndex;
    const following = this.text[this.at];
    if (following !== undefined && /[0-9.eE+-]/.test(following))
      this.unexpected("a number as JSON writes it (no leading zeros, digits after `.` and `e`)");
    const value = Number(match![0]);
    const whole = match![1] === undefined && match![2] === undefined;
    if (!Number.isFinite(value)) {
      this.fault(
        "number_out_of_range",
        start,
        "The number is larger than any double. Send a smaller one, or send it as text.",
      );
    } else if (whole && !Number.isSafeInteger(value)) {
      this.fault(
        "number_out_of_range",
        start,
        "The whole number lies outside ±9007199254740991, so that a double may not hold it exactly. Send it as text.",
      );
    }
  }

  private literal(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private space(): void {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text.charCodeAt(this.at);
      if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return;
    }
  }

  private unexpected(expected: string): never {
    const found = this.at >= this.text.length ? "the body ends" : "something else stands here";
    return this.broken("syntax", this.at, `The body is not valid JSON: expected ${expected}, but ${found}.`);
  }

  private broken(code: JsonFaultCode, at: number, detail: string): never {
    return this.end(this.describe(code, 400, at, detail));
  }

  private tooMany(code: JsonFaultCode, detail: string): never {
    return this.end(this.describe(code, 413, this.at, detail));
  }

  private end(fault: JsonFault): never {
    // The fault that ends the reading must be among the reported ones, however many came before it.
    if (this.faults.length >= MOST_FAULTS) this.faults.pop();
    this.faults.push(fault);
    throw new Broken();
  }

  private fault(code: JsonFaultCode, at: number, detail: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(this.describe(code, 422, at, detail));
  }

  private describe(code: JsonFaultCode, status: JsonFault["status"], at: number, detail: string): JsonFault {
    const before = this.text.slice(0, at);
    const lineStart = before.lastIndexOf("\n") + 1;
    let line = 1;
    for (let index = before.indexOf("\n"); index >= 0; index = before.indexOf("\n", index + 1)) line++;
    const pointer = pointerOf(this.levels.flatMap(({ token }) => (token === null ? [] : [shortToken(token)])));
    return { code, status, pointer, line, column: charactersIn(before, lineStart) + 1, detail };
  }
}

const tooManyMembers = (most: number): string =>
  `An object has more than ${most} members, and at most ${most} are read. Split it, or put what is of one kind into a list.`;
const tooManyValues = (most: number): string =>
  `The body has more than ${most} values (texts, numbers, objects and lists all count), and at most ${most} are read. Send it in several calls.`;

/** A name may be as long as the body, and each fault has its pointer. */
const shortToken = (token: string | number): string | number =>
  typeof token === "string" ? shortened(token, 200) : token;

/** Code points of a text behind `from`. */
function charactersIn(text: string, from: number): number {
  let count = text.length - from;
  for (let at = from; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && at > from)
      count--;
  }
  return count;
}

function shown(name: string): string {
  return JSON.stringify(shortened(name, 60));
}
