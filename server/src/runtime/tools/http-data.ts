import type { OutboundAnswer } from "../../outbound/index.ts";
import { isJsonType, isObject } from "./http-body.ts";

/** What stands in an output in place of a credential that an answer repeats. */
const HIDDEN = "[credential]";
/** Shorter values are no secrets, and replacing them would garble answers. */
const LEAST_SECRET = 8;
/** Levels of an answer's JSON that are read as such; a deeper one is text. */
const DEEPEST = 64;

/** The answer as data: JSON as its value, text as text, anything else by its size only. */
export function dataOf({ headers, body }: OutboundAnswer, secrets: readonly string[]): unknown {
  if (body.length === 0) return null;
  const type = headers["content-type"] ?? "";
  if (!isJsonType(type) && !/^\s*(?:text\/|application\/(?:xml|[^;\s]+\+xml)|$)/i.test(type)) {
    return { left_out: `an answer of the type ${type.split(";")[0]!.trim()}, ${body.length} bytes, which is no text` };
  }
  const text = withoutSecrets(new TextDecoder(charsetOf(type)).decode(body), secrets);
  if (!isJsonType(type) && type !== "") return readable(text);
  try {
    return isDeeper(text, DEEPEST) ? readable(text) : readable(JSON.parse(text));
  } catch {
    return readable(text);
  }
}

/** Whether a JSON text nests deeper than so many levels; what reads values level by level would run out of stack. One look at each character. */
function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inText && character === "\\") at += 1;
    else if (character === '"') inText = !inText;
    else if (inText) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** The same without what can neither be stored nor sent on as I-JSON: NUL, halves of characters, what is no character, numbers beyond all doubles (those are null). */
function readable(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll(/\0|\p{Noncharacter_Code_Point}/gu, "\uFFFD");
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(readable);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [readable(name), readable(item)]));
}

function charsetOf(type: string): string {
  const named = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return "utf-8";
  }
}

/** `Bearer abc` hides `abc` too. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const values = secrets
    .flatMap((value) => [value, value.slice(value.indexOf(" ") + 1)])
    .filter((value) => value.length >= LEAST_SECRET);
  return values.reduce((rest, value) => rest.replaceAll(value, HIDDEN), text);
}
