import { pointerOf, resolvePointer } from "@aos/strict-json";
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  type Scalar,
} from "yaml";
import { DETAILS, MOST_FAULTS, type PlacedFault, syntaxFault } from "./faults.ts";
import { offsetOf, type Place, placesOf } from "./places.ts";

/**
 * Limits on a file. `depth` is that of JSON bodies. `lexemes` bounds the parser's time (some 10 µs each), whatever the text. `values` counts what the file says once
 * every alias is written out. A file of ours has at most 11 lexemes for each value: what has no more values than these can be written and read back.
 */
export const YAML_LIMITS = { characters: 1_048_576, depth: 32, lexemes: 120_000, values: 10_000 } as const;
/** A whole number as the core schema writes it (YAML 1.2.2, section 10.3.2). */
const WHOLE = /^(?:[-+]?\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/;

/** What a text says, as plain JSON values, and where it says it. */
export interface YamlSource {
  readonly value: unknown;
  /** The place of the value that a pointer names, or of its name. `within`: so many UTF-16 units into a text that stands on one line as it is. */
  locate(pointer: string, wanted: "key" | "value", within?: number): Place;
}

/** What faults say about the kind of file: a whole sentence each. */
export interface FileWords {
  readonly several: string;
  readonly empty: string;
  /** What to do where it is too large. */
  readonly tooLarge: string;
}

export type YamlResult =
  | { readonly ok: true; readonly source: YamlSource }
  | { readonly ok: false; readonly faults: readonly PlacedFault[] };

/**
 * Reads a text as YAML 1.2 (core schema) that says no more than I-JSON can (RFC 7493): no tags, no merge keys, no names given twice, no value that
 * JSON does not have. Aliases are written out, up to the limits. Time is linear in the text; every fault has its place.
 */
export function readYaml(text: string, words: FileWords): YamlResult {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const placeOf = placesOf(plain);
  const failed = (faults: readonly Found[]): YamlResult => ({
    ok: false,
    faults: faults
      .slice(0, MOST_FAULTS)
      .map(({ offset, ...fault }) => ({ ...fault, ...placeOf(offset), detail: worded(fault, words) })),
  });
  if (plain.length > YAML_LIMITS.characters) {
    return failed([{ pointer: "", ...tooLarge(`may have at most ${YAML_LIMITS.characters} characters`), offset: 0 }]);
  }
  const tokens = tokensOf(plain);
  if (!Array.isArray(tokens)) return failed([tokens]);
  const { documents, errors } = compose(tokens, plain.length);
  const broken = [...directiveFaults(tokens), ...errors, ...textFaults(documents)];
  if (broken.length > 0) return failed(broken.sort((a, b) => a.offset - b.offset));
  const root = documents[0]?.contents ?? null;
  const reader = new Reader();
  const value = reader.read(root);
  if (reader.faults.length > 0) return failed(reader.faults);
  const locate = (pointer: string, wanted: "key" | "value", within = 0): Place => {
    const offset = offsetOf(root, reader.targets, pointer, wanted);
    const start = within > 0 ? writtenAt(plain, offset, resolvePointer(value, pointer)) : null;
    return placeOf(start === null ? offset : start + within);
  };
  return { ok: true, source: { value, locate } };
}

/** Where a text begins that is written as it is, after its quotation mark if it has one; null for one that is escaped or folded. */
function writtenAt(source: string, offset: number, value: unknown): number | null {
  if (typeof value !== "string") return null;
  const start = source[offset] === '"' || source[offset] === "'" ? offset + 1 : offset;
  return source.startsWith(value, start) ? start : null;
}

interface Found {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly offset: number;
}

/** Adds what only the kind of file can say. */
function worded({ code, detail }: Omit<Found, "offset">, words: FileWords): string {
  if (code === "empty_file") return `${detail} ${words.empty}`;
  if (code === "several_documents") return `${detail} ${words.several}`;
  return code === "too_large" ? `${detail} ${words.tooLarge}` : detail;
}

const tooLarge = (limit: string) => ({ code: "too_large", detail: `The file ${limit}.` });
const tooDeep = {
  code: "too_deep",
  detail: `The file nests deeper than ${YAML_LIMITS.depth} levels. Write a flatter one.`,
};

/** What the lexer puts before the text of a value or a name. */
const SCALAR = "\u001f";
/** Said of a plain `<<` alone: in quotation marks it is a name like any other, in YAML 1.1 as well. */
const MERGE =
  "`<<` (merge) is not part of YAML 1.2. Write the fields out, or give the whole value by an alias; a field of this name stands in quotation marks.";

/** The parser's tokens, or why there are too many: its own recursion begins only after this. */
function tokensOf(text: string): CST.Token[] | Found {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const failed = (fault: { code: string; detail: string }, offset = parser.offset) => ({
    pointer: "",
    ...fault,
    offset,
  });
  // `values` are those of lists and maps in blocks; `texts` are values and names, also of lists and maps on one line.
  const counts = { lexemes: 0, errors: 0, values: 0, texts: 0, tags: 0 };
  let previous = "";
  for (const lexeme of new Lexer().lex(text)) {
    const isText = previous === SCALAR;
    previous = lexeme;
    if (!isText && (lexeme === "-" || lexeme === ":")) counts.values++;
    if (!isText && lexeme.startsWith("!")) counts.tags++;
    if (lexeme === SCALAR) counts.texts++;
    if (counts.tags >= MOST_FAULTS) return failed(syntaxFault("TAG_RESOLVE_FAILED"));
    if (counts.values > YAML_LIMITS.values || counts.texts > 2 * YAML_LIMITS.values)
      return failed(tooLarge(`may have at most ${YAML_LIMITS.values} values`));
    if (++counts.lexemes > YAML_LIMITS.lexemes) return failed(tooLarge("has too many parts"));
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === "error" && ++counts.errors >= MOST_FAULTS)
        return failed(syntaxFault("UNEXPECTED_TOKEN"), token.offset);
    }
    // One level of a value takes at most two entries of the parser's stack.
    if (parser.stack.length > 2 * YAML_LIMITS.depth + 4) return failed(tooDeep);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** The composer's private listener, which it hands to all that it calls. */
interface Listening {
  onError: (at: number | readonly [number, number] | { offset: number }, code: ErrorCode, ...rest: unknown[]) => void;
}

/** `uniqueKeys` compares each with each; the reader does it by a set. Ends with `errors` at the first hundred: a hostile file has a hundred thousand. */
function compose(tokens: readonly CST.Token[], length: number): { documents: Document.Parsed[]; errors: Found[] } {
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    strict: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    merge: false,
    stringKeys: true,
    logLevel: "silent",
  });
  const listening = composer as unknown as Listening;
  const { onError } = listening;
  const errors = new Map<number, Found>(); // of one place, one
  listening.onError = (source, code, ...rest) => {
    const offset = typeof source === "number" ? source : "offset" in source ? source.offset : source[0];
    if (errors.size >= MOST_FAULTS) throw new Enough();
    errors.set(offset, { pointer: "", ...syntaxFault(code), offset });
    onError(source, code, ...rest);
  };
  try {
    return { documents: [...composer.compose(tokens, true, length)] as Document.Parsed[], errors: [] };
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return { documents: [], errors: [...errors.values()] };
  }
}

/** `%YAML 1.1` would change what `no` means, `%TAG` what tags mean. */
function directiveFaults(tokens: readonly CST.Token[]): Found[] {
  const refused = { pointer: "", code: "directive_refused", detail: DETAILS.directive_refused };
  return tokens.flatMap((token) =>
    token.type === "directive" && !/^%YAML\s+1\.2\s*$/.test(token.source) ? [{ ...refused, offset: token.offset }] : [],
  );
}

function textFaults(documents: readonly Document.Parsed[]): Found[] {
  const found = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ code, pos }): Found => ({ pointer: "", ...syntaxFault(code), offset: pos[0] })),
  );
  const [, second] = documents;
  if (second !== undefined)
    found.push({ pointer: "", ...syntaxFault("MULTIPLE_DOCS"), offset: (second.contents ?? second).range[0] });
  return [...new Map(found.map((fault) => [fault.offset, fault])).values()]; // of one place, one
}

type Tokens = readonly (string | number)[];

/** Thrown inside this file when reading on would cost more than a file may. */
class Enough extends Error {}

/** Turns nodes into plain values. Recursion is bounded by the depth of a file. */
class Reader {
  readonly faults: Found[] = [];
  /** What each alias stands for: the last anchor of its name before it. */
  readonly targets = new Map<Alias, Node>();
  private readonly anchors = new Map<string, Node>();
  private readonly open = new Set<Node>();
  private values = 0;
  private characters = 0;
  private insideAlias = 0;

  read(root: Node | null): unknown {
    if (root === null || (isScalar(root) && root.value === null)) {
      this.say([], root, "empty_file");
      return null;
    }
    try {
      return this.value(root, []);
    } catch (error) {
      if (!(error instanceof Enough)) throw error;
      return null;
    }
  }

  private value(node: unknown, at: Tokens): unknown {
    if (isAlias(node)) return this.alias(node, at);
    if (++this.values > YAML_LIMITS.values) this.stop(at, node, "values");
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null; // a field without a value
    this.anchor(node);
    if (isScalar(node)) return this.scalar(node, at);
    if (at.length >= YAML_LIMITS.depth) this.fail(at, node, tooDeep);
    this.open.add(node);
    const value = isMap(node)
      ? this.members(node.items as Pair[], at)
      : node.items.map((item, index) => this.value(item, [...at, index]));
    this.open.delete(node);
    return value;
  }

  private anchor(node: Node & { anchor?: string }): void {
    if (node.anchor !== undefined && this.insideAlias === 0) this.anchors.set(node.anchor, node);
  }

  /** Inside a repeated part, aliases mean what they meant where it is written. */
  private alias(node: Alias, at: Tokens): unknown {
    const target = this.targets.get(node) ?? this.anchors.get(node.source);
    if (target === undefined) {
      this.say(at, node, "unknown_alias");
      return null;
    }
    if (this.open.has(target)) {
      this.say(at, node, "circular_alias");
      return null;
    }
    this.targets.set(node, target);
    this.insideAlias++;
    const value = this.value(target, at);
    this.insideAlias--;
    return value;
  }

  private members(pairs: readonly Pair[], at: Tokens): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : null;
      if (name === null) {
        this.say(at, key, "field_name");
        continue;
      }
      const place = [...at, name];
      this.anchor(key as Scalar);
      this.text(name, place, key);
      if (Object.hasOwn(object, name)) this.say(place, key, "duplicate_field");
      else if (name === "__proto__")
        this.say(place, key, "field_name", "`__proto__` is not allowed as a name. Use another one.");
      else if (name === "<<" && (key as Scalar).type === "PLAIN") this.say(place, key, "field_name", MERGE);
      else object[name] = this.value(value, place);
    }
    return object;
  }

  private scalar(node: Scalar, at: Tokens): unknown {
    const { value } = node;
    if (typeof value === "string") this.text(value, at, node);
    if (typeof value !== "number") return value;
    if (!Number.isFinite(value))
      this.say(at, node, "number_out_of_range", "JSON has no such number. Write a finite one, or quote it.");
    else if (!Number.isSafeInteger(value) && WHOLE.test(node.source ?? ""))
      this.say(at, node, "number_out_of_range", "The whole number lies outside ±9007199254740991. Quote it.");
    return value === 0 ? 0 : value; // JSON as we write it knows no −0
  }

  private text(text: string, at: Tokens, node: unknown): void {
    this.characters += text.length;
    if (this.characters > YAML_LIMITS.characters) this.stop(at, node, "characters");
    if (text.includes("\u0000")) this.say(at, node, "nul_character");
    if (!text.isWellFormed()) this.say(at, node, "lone_surrogate");
    else if (/\p{Noncharacter_Code_Point}/u.test(text)) {
      this.say(at, node, "noncharacter");
    }
  }

  private stop(at: Tokens, node: unknown, what: "values" | "characters"): never {
    const limit = `may have at most ${YAML_LIMITS[what]} ${what} once its aliases are written out`;
    return this.fail(at, node, tooLarge(limit));
  }

  private fail(at: Tokens, node: unknown, fault: { code: string; detail: string }): never {
    this.say(at, node, fault.code, fault.detail);
    throw new Enough();
  }

  private say(at: Tokens, node: unknown, code: keyof typeof DETAILS): void;
  private say(at: Tokens, node: unknown, code: string, detail: string): void;
  private say(at: Tokens, node: unknown, code: string, detail = (DETAILS as Record<string, string>)[code] ?? ""): void {
    this.faults.push({ pointer: pointerOf(at), code, detail, offset: (node as Node | null)?.range?.[0] ?? 0 });
  }
}
