import { compileLinearPattern, USER_FORMATS } from "@aos/json-schema";
import { resolvePointer } from "@aos/strict-json";
import { isObject } from "./http-body.ts";
import { OpenApiError } from "./openapi-error.ts";

type Plain = Record<string, unknown>;
type Description = Readonly<Record<string, unknown>>;

/** How often one reference may lead to the next. */
const LONGEST_CHAIN = 20;
/** Subschemas after which a schema is certainly too large. */
const MOST_SUBSCHEMAS = 3000;
/** Longest description of a field that a model is shown, in characters. */
const LONGEST_WORDS = 300;

/** A part of a description, its references followed. Throws OpenApiError for one that leads out of the description, or to nothing. */
export function followed(description: Description, part: unknown): unknown {
  let found = part;
  for (let step = 0; isObject(found) && typeof found.$ref === "string"; step += 1) {
    const { $ref } = found;
    if (!$ref.startsWith("#"))
      throw new OpenApiError(
        "openapi_unsupported",
        `The description refers to \`${$ref}\`, outside of itself; offer it in one file.`,
      );
    found = step < LONGEST_CHAIN ? resolvePointer(description, decoded($ref.slice(1))) : undefined;
    if (found === undefined)
      throw new OpenApiError("openapi_invalid", `The description refers to \`${$ref}\`, which leads to nothing.`);
  }
  return found;
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

interface Walk {
  readonly description: Description;
  /** References being written out, so that one that leads into itself ends. */
  readonly open: ReadonlySet<string>;
  /** Levels that may still follow. */
  readonly depth: number;
  /** Subschemas that may still follow: references written out multiply, and what is too large for a tool need not be written to its end. */
  readonly left: { count: number };
}

/**
 * A schema of an OpenAPI description (3.0 or 3.1) as JSON Schema that stands alone and that we can hold arguments to. It never refuses what the original takes: rules that we
 * do not check are left out, and below `depth` levels, or where it leads into itself, anything goes. The target checks the rest.
 */
export function standalone(description: Description, schema: unknown, depth: number): Plain | boolean {
  return convert(schema, { description, open: new Set(), depth, left: { count: MOST_SUBSCHEMAS } });
}

function convert(schema: unknown, walk: Walk): Plain | boolean {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema) || walk.depth < 0 || walk.left.count <= 0) return {};
  walk.left.count -= 1;
  if (typeof schema.$ref === "string") {
    if (walk.open.has(schema.$ref)) return {};
    return convert(followed(walk.description, schema), { ...walk, open: new Set([...walk.open, schema.$ref]) });
  }
  const inside = { ...walk, depth: walk.depth - 1 };
  const unions = unionsOf(schema, inside);
  const type = typeOf(schema);
  const rules = {
    ...wordsOf(schema),
    ...type,
    ...boundsOf(schema),
    ...objectRules(schema, inside),
    ...listRules(schema, inside),
    ...unions,
  };
  // Without a type of its own to add null to, null is one more branch.
  const alsoNull = schema.nullable === true && !("type" in type) && Object.keys(unions).length > 0;
  return alsoNull ? { anyOf: [rules, { type: "null" }] } : rules;
}

function wordsOf({ title, description }: Readonly<Plain>): Plain {
  const words = typeof description === "string" ? description : title;
  return typeof words === "string" && words !== "" ? { description: words.slice(0, LONGEST_WORDS) } : {};
}

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** `type` and what hangs on it: in OpenAPI 3.0 `nullable` adds null, in 3.1 it stands in a list. */
function typeOf(schema: Readonly<Plain>): Plain {
  const listed = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => TYPES.has(String(type)));
  const types = [...new Set(schema.nullable === true && listed.length > 0 ? [...listed, "null"] : listed)];
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  const allowed = [...new Set(schema.nullable === true && values.length > 0 ? [...values, null] : values)];
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(allowed.length > 0 ? { enum: allowed } : {}),
    ...("const" in schema ? { const: schema.const } : {}),
  };
}

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;

function boundsOf(schema: Readonly<Plain>): Plain {
  const bounds: Plain = {};
  for (const name of COUNTS)
    if (Number.isInteger(schema[name]) && Number(schema[name]) >= 0) bounds[name] = schema[name];
  for (const [name, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    // OpenAPI 3.0: a boolean beside the bound; 3.1: a bound of its own.
    if (typeof schema[name] === "number") bounds[schema[exclusive] === true ? exclusive : name] = schema[name];
    if (typeof schema[exclusive] === "number") bounds[exclusive] = schema[exclusive];
  }
  if (typeof schema.pattern === "string" && isLinear(schema.pattern)) bounds.pattern = schema.pattern;
  if ((USER_FORMATS as readonly unknown[]).includes(schema.format)) bounds.format = schema.format;
  return bounds;
}

function isLinear(pattern: string): boolean {
  try {
    compileLinearPattern(pattern);
    return true;
  } catch {
    return false;
  }
}

function objectRules(schema: Readonly<Plain>, walk: Walk): Plain {
  const rules: Plain = {};
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  // What only answers carry is nothing that a call gives.
  const own = properties.filter(([, property]) => !isReadOnly(property, walk));
  if (properties.length > 0)
    rules.properties = Object.fromEntries(own.map(([name, property]) => [name, convert(property, walk)]));
  const dropped = new Set(properties.filter((entry) => !own.includes(entry)).map(([name]) => name));
  const required = (Array.isArray(schema.required) ? schema.required : []).filter(
    (name) => typeof name === "string" && !dropped.has(name),
  );
  if (required.length > 0) rules.required = [...new Set(required)];
  if (schema.additionalProperties !== undefined && !isObject(schema.patternProperties))
    rules.additionalProperties = convert(schema.additionalProperties, walk);
  return rules;
}

const isReadOnly = (property: unknown, { description }: Walk): boolean => {
  const target = followed(description, property);
  return isObject(target) && target.readOnly === true;
};

const listRules = (schema: Readonly<Plain>, walk: Walk): Plain =>
  schema.items === undefined ? {} : { items: convert(schema.items, walk) };

/** `oneOf` becomes `anyOf`: with rules left out more than one branch may fit. */
function unionsOf(schema: Readonly<Plain>, walk: Walk): Plain {
  const branches = (list: unknown): (Plain | boolean)[] =>
    Array.isArray(list) ? list.map((branch) => convert(branch, walk)) : [];
  const all = branches(schema.allOf);
  const any = branches(schema.anyOf);
  const one = branches(schema.oneOf);
  const rules: Plain = {};
  if (any.length > 0) rules.anyOf = any;
  else if (one.length > 0) rules.anyOf = one;
  if (any.length > 0 && one.length > 0) all.push({ anyOf: one });
  if (all.length > 0) rules.allOf = all;
  return rules;
}
