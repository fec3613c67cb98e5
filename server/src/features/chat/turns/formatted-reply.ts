import { compileUserSchema, type Validator } from "@aos/json-schema";
import { type ReplyFormat, schemaOfFormat } from "../../../kernel/reply-options.ts";
import { jsonWithTexts, parseJson } from "../../../kernel/stored-json.ts";

// A reply in a format that the caller asked for: its texts are filtered one by one, so that the whole stays JSON.

type Failure = { readonly code: string; readonly detail: string };

/** Applies a filter to every text in a JSON value, names of members too. Throws SyntaxError where it is none. */
export function filterTexts(json: string, filter: (text: string) => string): string {
  return JSON.stringify(named(jsonWithTexts(json, filter), filter));
}

/** The same value with the names of its members filtered, at any depth. */
function named(value: unknown, filter: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => named(one, filter));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [filter(name), named(one, filter)]));
}

const validators = new WeakMap<object, Validator>();

/** Why a text does not fit its format after rules of the service have changed it; null: it fits. */
export function unfitNow(text: string, format: ReplyFormat): Failure | null {
  const schema = schemaOfFormat(format);
  let validate = validators.get(schema);
  if (!validate) {
    const compiled = compileUserSchema(schema);
    validate = compiled.ok ? compiled.validate : () => compiled.faults;
    validators.set(schema, validate);
  }
  const value = parsed(text);
  const faults = value === undefined ? [{ pointer: "", detail: "is no JSON" }] : validate(value.read);
  const [first] = faults;
  if (!first) return null;
  const detail = `What the rules of this service leave of the answer does not fit the format that was asked for: ${first.pointer || "the whole"} ${first.detail}.`;
  return { code: "output_invalid", detail };
}

function parsed(text: string): { readonly read: unknown } | undefined {
  try {
    return { read: parseJson(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
