import { plainJson } from "../kernel/stored-json.ts";

/** A schema as it stands in the document: plain JSON, dialect 2020-12. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const scalarTypes = new Set(["string", "number", "integer", "boolean"]);

/**
 * A schema of a declaration as the document writes it. It means the same, in the words that readers and generators of OpenAPI expect: enumerations say their
 * type, records are `additionalProperties`, and a plain value that may be null has a list of types.
 */
export function normalSchema(schema: object): Json {
  return normal(plainJson(schema));
}

/**
 * What a schema says in the document in place of what a body is checked by: rules that an operation checks by itself, in better words than a schema has.
 * Both accept the same.
 */
const DESCRIBED = "x-described";

function normal(given: Json): Json {
  const { [DESCRIBED]: described, ...own } = given;
  const schema = isObject(described)
    ? { ...("description" in own ? { description: own.description } : {}), ...described }
    : own;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, normalMember(key, value)]));
  return nullable(record(typed(inner)));
}

const schemaMembers = new Set(["items", "additionalProperties", "not", "propertyNames"]);
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const schemaMaps = new Set(["properties", "patternProperties", "$defs"]);

function normalMember(key: string, value: unknown): unknown {
  if (schemaMembers.has(key) && isObject(value)) return normal(value);
  if (schemaLists.has(key) && Array.isArray(value)) return value.map((one) => normal(one as Json));
  if (schemaMaps.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, normal(one as Json)]));
  return value;
}

/** An enumeration of one type says it. */
function typed(schema: Json): Json {
  const { enum: values, type } = schema;
  if (!Array.isArray(values) || type !== undefined) return schema;
  const types = new Set(values.map((value) => typeof value));
  const [only] = types;
  return types.size === 1 && only !== undefined && scalarTypes.has(only) ? { type: only, ...schema } : schema;
}

/** An object whose names are free. */
function record(schema: Json): Json {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties)) return schema;
  const entries = Object.entries(patternProperties);
  const [pattern, value] = entries[0] ?? [];
  return entries.length === 1 && (pattern === "^.*$" || pattern === "^(.*)$") && isObject(value)
    ? { ...rest, additionalProperties: emptyIsTrue(value) }
    : schema;
}

const emptyIsTrue = (schema: Json): Json | true => (Object.keys(schema).length === 0 ? true : schema);

/** A plain value or null, as one schema with both types. What has a fixed list of values or is an object stays a choice. */
function nullable(schema: Json): Json {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf as [Json, Json];
  const plain =
    typeof value.type === "string" && scalarTypes.has(value.type) && !("enum" in value) && !("const" in value);
  if (!plain || none.type !== "null") return schema;
  return { ...value, ...outer, type: [value.type, "null"] };
}
