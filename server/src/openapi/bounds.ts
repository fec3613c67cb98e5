import { isObject, type Json } from "./schema.ts";

/** The longest JSON body (HTTP); no text of ours is longer, no list has more items. */
const most = 1024 * 1024;
const integers = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/**
 * Says of every value what holds for all: text has no NUL (I-JSON as we read it, and PostgreSQL's text) and is no longer than a body, integers are safe
 * ones, lists end. What a declaration says itself is narrower and stays.
 */
export function bounded<T>(value: T): T {
  if (Array.isArray(value)) return value.map(bounded) as T;
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, member(key, one)]));
  return { ...inner, ...boundsOf(inner) } as T;
}

/** The names under `properties` are the callers' words: a member called `examples` is a schema like any other. */
function member(key: string, value: unknown): unknown {
  if (key === "properties" && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bounded(one)]));
  return isData(key) ? value : bounded(value);
}

/** Members that hold values, not schemas. */
const isData = (key: string): boolean => ["example", "examples", "default", "enum", "const", "value"].includes(key);

function boundsOf(schema: Json): Json {
  const { type } = schema;
  const is = (name: string): boolean => type === name || (Array.isArray(type) && type.includes(name));
  if (is("string") && !("enum" in schema) && !("const" in schema)) return textBounds(schema);
  if (is("integer") && !("enum" in schema) && !("const" in schema))
    return missing(schema, { format: "int64", ...integers });
  return is("array") ? missing(schema, { maxItems: most }) : {};
}

function textBounds(schema: Json): Json {
  const shaped = "format" in schema || "pattern" in schema;
  return missing(schema, {
    maxLength: schema.format === "date-time" ? 40 : most,
    ...(shaped ? {} : { pattern: "^[^\\u0000]*$" }),
  });
}

const missing = (schema: Json, bounds: Json): Json =>
  Object.fromEntries(Object.entries(bounds).filter(([name]) => !(name in schema)));
