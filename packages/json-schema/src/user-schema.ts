import { parsePointer, pointerOf, resolvePointer } from "@aos/strict-json";
import type { FormatName } from "ajv-formats";
import type { BodyFault } from "./faults.ts";
import { compileLinearPattern, PatternRefused } from "./linear-pattern.ts";

/** Formats that a user's schema may name: their checks take linear time. */
export const USER_FORMATS = [
  "date",
  "time",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uuid",
] as const satisfies FormatName[];

/** Limits on a schema of a user's. `expanded` counts subschemas with every reference written out. */
export const USER_SCHEMA_LIMITS = { characters: 32_768, depth: 24, expanded: 1000 } as const;

const SCALARS = new Set(["string", "number", "integer", "boolean", "null"]);
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Keywords that name places or change the dialect: a schema of a user's stands alone. */
const REFUSED = new Set([
  "$id",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
  "$vocabulary",
  "$recursiveRef",
  "$recursiveAnchor",
]);
/** Keywords whose value is a subschema, a list of them, or an object of them. */
const SUBSCHEMAS = new Set([
  "not",
  "if",
  "then",
  "else",
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const SUBSCHEMA_LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SUBSCHEMA_MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);

type Tokens = readonly (string | number)[];

class TooLarge extends Error {}

/**
 * What a user's schema breaks of the rules that keep validation linear in the input: an object of at most 32 KiB and 24 levels; `$ref` within itself only,
 * without cycles, and at most 1,000 subschemas once written out; patterns with linear time; known formats; `uniqueItems` for scalars only
 * (others are compared each with each). Faults point into the schema; an empty list when it is fine.
 */
export function checkUserSchema(schema: unknown): BodyFault[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return [fault([], "invalid_schema", "must be a JSON Schema as an object")];
  if (deeperThan(schema, USER_SCHEMA_LIMITS.depth))
    return [fault([], "schema_too_large", `may nest ${USER_SCHEMA_LIMITS.depth} levels at most`)];
  if (JSON.stringify(schema).length > USER_SCHEMA_LIMITS.characters) {
    return [fault([], "schema_too_large", `may have ${USER_SCHEMA_LIMITS.characters} characters at most as JSON`)];
  }
  const faults: BodyFault[] = [];
  for (const [place, subschema] of subschemasOf(schema, [])) checkKeywords(schema, subschema, place, faults);
  if (faults.length > 0) return faults;
  try {
    expandedSize(schema, schema, new Map(), new Set());
    return faults;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return [fault([], "schema_too_large", error.message)];
  }
}

function fault(place: Tokens, code: string, detail: string): BodyFault {
  return { pointer: pointerOf(place), code, detail };
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => deeperThan(item, levels - 1));
}

/** The schema and all subschemas in it, each with its place. Booleans are not among them. */
function* subschemasOf(schema: unknown, place: Tokens): Generator<[Tokens, Record<string, unknown>]> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  yield [place, schema as Record<string, unknown>];
  for (const [at, child] of childrenOf(schema as Record<string, unknown>))
    yield* subschemasOf(child, [...place, ...at]);
}

function* childrenOf(schema: Record<string, unknown>): Generator<[Tokens, unknown]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (SUBSCHEMAS.has(keyword)) yield [[keyword], value];
    else if (typeof value !== "object" || value === null) continue;
    else if (SUBSCHEMA_LISTS.has(keyword) || SUBSCHEMA_MAPS.has(keyword)) {
      for (const [name, child] of Object.entries(value)) yield [[keyword, name], child];
    }
  }
}

function checkKeywords(root: object, schema: Record<string, unknown>, place: Tokens, faults: BodyFault[]): void {
  const say = (keyword: string, code: string, detail: string, ...more: Tokens) =>
    faults.push(fault([...place, keyword, ...more], code, detail));
  for (const keyword of Object.keys(schema))
    if (REFUSED.has(keyword))
      say(keyword, "keyword_refused", `is not allowed in a schema that stands alone; use \`$defs\` and \`$ref\``);
  if ("$schema" in schema && schema.$schema !== DIALECT)
    say("$schema", "keyword_refused", `must be ${DIALECT}, or be left out`);
  if ("$ref" in schema) checkReference(root, schema.$ref, say);
  if (typeof schema.pattern === "string")
    checkPattern(schema.pattern, (detail) => say("pattern", "pattern_refused", detail));
  for (const pattern of Object.keys(Object(schema.patternProperties))) {
    checkPattern(pattern, (detail) => say("patternProperties", "pattern_refused", detail, pattern));
  }
  if (typeof schema.format === "string" && !(USER_FORMATS as readonly string[]).includes(schema.format)) {
    say("format", "format_refused", `is not a known format; known are ${USER_FORMATS.join(", ")}`);
  }
  if (schema.uniqueItems === true && !hasScalarItems(schema)) {
    say(
      "uniqueItems",
      "keyword_refused",
      "needs `items` with a `type` of text, number, boolean or null: larger items would have to be compared each with each",
    );
  }
}

function checkReference(
  root: object,
  reference: unknown,
  say: (keyword: string, code: string, detail: string) => void,
): void {
  if (typeof reference !== "string" || !reference.startsWith("#")) {
    say(
      "$ref",
      "reference_refused",
      "must stay within this schema: `#/$defs/<name>`; nothing is fetched from elsewhere",
    );
    return;
  }
  const target = referenceTarget(root, reference);
  if (typeof target !== "boolean" && (typeof target !== "object" || target === null))
    say("$ref", "reference_refused", "names nothing in this schema");
}

function referenceTarget(root: object, reference: string): unknown {
  if (!/^#\/\$defs\/[^/%]+$/.test(reference)) return undefined;
  return parsePointer(reference.slice(1)) === null ? undefined : resolvePointer(root, reference.slice(1));
}

function checkPattern(pattern: string, say: (detail: string) => void): void {
  try {
    compileLinearPattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternRefused)) throw error;
    say(`is refused: ${error.message}`);
  }
}

function hasScalarItems(schema: Record<string, unknown>): boolean {
  const items = schema.items as { type?: unknown } | undefined;
  const types = Array.isArray(items?.type) ? items.type : [items?.type];
  return !("prefixItems" in schema) && types.length > 0 && types.every((type) => SCALARS.has(String(type)));
}

/** How many subschemas a value may meet once every reference is written out. Throws TooLarge over the limit and for a reference that leads into itself. */
function expandedSize(root: object, schema: unknown, known: Map<unknown, number>, open: Set<unknown>): number {
  if (typeof schema !== "object" || schema === null) return 1;
  const before = known.get(schema);
  if (before !== undefined) return before;
  if (open.has(schema)) throw new TooLarge("may not refer to itself, directly or in a circle; write the levels out");
  open.add(schema);
  let size = 1;
  for (const [[keyword], child] of childrenOf(schema as Record<string, unknown>)) {
    // Definitions count where they are referred to; here they are only looked into, for circles.
    const counted = expandedSize(root, child, known, open);
    if (keyword !== "$defs") size += counted;
  }
  const reference = (schema as { $ref?: string }).$ref;
  if (reference !== undefined) size += expandedSize(root, referenceTarget(root, reference), known, open);
  if (size > USER_SCHEMA_LIMITS.expanded)
    throw new TooLarge(
      `may have ${USER_SCHEMA_LIMITS.expanded} subschemas at most once all references are written out`,
    );
  open.delete(schema);
  known.set(schema, size);
  return size;
}
