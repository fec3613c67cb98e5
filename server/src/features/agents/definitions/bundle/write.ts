import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { AgentBundle } from "../schemas.ts";
import { inFileOrder } from "./order.ts";

/** A map or a list stands on one line where that line has at most so many characters. */
const LINE = 110;
/** Characters that other parsers may take for line breaks or refuse: they are written as escapes. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a YAML text cannot hold unescaped, and line breaks that reading would change
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/**
 * An agent as a file. Equal bundles give the same text, whatever the order of their fields; reading it back gives the bundle: `parseBundle(writeBundle(b))`
 * is `b`. Texts of several lines stand as blocks, short maps and lists on one line. Texts that YAML 1.1 would take for something else (`no`, `1_000`) are quoted.
 */
export function writeBundle(bundle: AgentBundle): string {
  const document = new Document(null, { version: "1.2", schema: "core", compat: "yaml-1.1" });
  const { tools, skills, ...rest } = bundle;
  const shown = { ...rest, ...(tools.length > 0 ? { tools } : {}), ...(skills.length > 0 ? { skills } : {}) };
  document.contents = nodeOf(inFileOrder(shown), [], false) as never;
  const text = document.toString({
    lineWidth: 0,
    blockQuote: "literal",
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return text.replaceAll(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Plain texts that some other parsers misread: a lone `=` or `<<`, tabs, and on one line with others `?` and what begins with `:` or `-`. */
const MISREAD = { block: /^(?:=|<<)$|\t/, flow: /^(?:=|<<)$|^[:-]|[\t?]/ } as const;

type Stringified = Parameters<YAMLMap["toString"]>;

/** On one line, maps have spaces inside their braces and lists none: `{ tools: [one, two] }`. */
class Fields extends YAMLMap {
  override toString(context?: Stringified[0], ...rest: [Stringified[1], Stringified[2]] | []): string {
    return super.toString(context && { ...context, flowCollectionPadding: " " }, ...rest);
  }
}
class List extends YAMLSeq {
  override toString(context?: Stringified[0], ...rest: [Stringified[1], Stringified[2]] | []): string {
    return super.toString(context && { ...context, flowCollectionPadding: "" }, ...rest);
  }
}

type At = readonly (string | number)[];

function nodeOf(value: unknown, at: At, inFlow: boolean): Scalar | YAMLMap | YAMLSeq {
  if (typeof value === "string") return textNode(value, inFlow);
  if (typeof value === "number") return numberNode(value);
  if (typeof value !== "object" || value === null) return new Scalar(value);
  const node = Array.isArray(value) ? new List() : new Fields();
  const flow = inFlow || onOneLine(value, at);
  node.flow = flow;
  if (Array.isArray(value)) node.items = value.map((item, index) => nodeOf(item, [...at, index], flow));
  else
    node.items = Object.entries(value).map(
      ([name, item]) => new Pair(textNode(name, flow, true), nodeOf(item, [...at, name], flow)),
    );
  return node;
}

/** Whole numbers beyond ±2^53 are written with an exponent, which says that they are rounded: the reader refuses their digits. */
function numberNode(number: number): Scalar {
  const node = new Scalar(number === 0 ? 0 : number);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) node.format = "EXP";
  return node;
}

function textNode(text: string, inFlow: boolean, isName = false): Scalar {
  const node = new Scalar(text);
  if (UNPRINTABLE.test(text)) node.type = "QUOTE_DOUBLE";
  else if (text.includes("\n")) node.type = isName || !standsAsBlock(text) ? "QUOTE_DOUBLE" : "BLOCK_LITERAL";
  else if ((inFlow ? MISREAD.flow : MISREAD.block).test(text)) node.type = "QUOTE_DOUBLE";
  return node;
}

/** Blocks that begin with white space need an indentation indicator, and those that end with it hide it: both read badly. */
const standsAsBlock = (text: string): boolean => /^[^\s]/.test(text) && !/[ \t]\n*$/.test(text) && !/\n\t/.test(text);

/** The agent, its tools and its skills stand below one another always. */
function onOneLine(value: object, at: At): boolean {
  const isFrame = at.length === 0 || ((at[0] === "tools" || at[0] === "skills") && at.length <= 2);
  const text = JSON.stringify(value);
  return text === "{}" || text === "[]" || (!isFrame && !text.includes("\\n") && text.length + 2 * at.length <= LINE);
}

/** SHA-256 (lower-case hex) of a definition's canonical JSON (RFC 8785): equal exactly where two definitions say the same, in whatever order of fields. */
export function digestOf(definition: object): string {
  return createHash("sha256").update(canonicalJson(definition)).digest("hex");
}
