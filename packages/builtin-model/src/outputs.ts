import { compileUserSchema, type JsonSchema, type Validator } from "@aos/json-schema";
import { escapeToken, pointerOf, resolvePointer } from "@aos/strict-json";

// The fields of a skill's output, read off its schema.

export type Scalar = string | number | boolean | null;

/** One field to fill. */
export interface OutputField {
  /** JSON Pointer in the output. */
  readonly pointer: string;
  readonly tokens: readonly string[];
  readonly kind: "class" | "boolean" | "number" | "text" | "texts" | "unsupported";
  /** The values that the schema allows, where it names them. */
  readonly allowed: readonly Scalar[] | null;
  readonly integer: boolean;
  readonly description: string;
  /** The description without the field's name. */
  readonly told: string;
  readonly fits: (value: unknown) => boolean;
}

type Schema = Readonly<Record<string, unknown>>;

const mostFields = 200;
const mostDepth = 8;

const read = new WeakMap<object, readonly OutputField[]>();

/** The fields of an output schema, objects inside it included. Read once per schema object. */
export function outputFields(schema: JsonSchema): readonly OutputField[] {
  const known = read.get(schema);
  if (known) return known;
  const fields: OutputField[] = [];
  collect(schema as Schema, schema, [], fields);
  read.set(schema, fields);
  return fields;
}

function collect(given: unknown, root: JsonSchema, tokens: readonly string[], fields: OutputField[]): void {
  if (fields.length >= mostFields || tokens.length > mostDepth) return;
  const schema = settled(given, root);
  if (isObject(schema.properties)) {
    for (const [name, inner] of Object.entries(schema.properties)) collect(inner, root, [...tokens, name], fields);
    return;
  }
  if (tokens.length > 0) fields.push(fieldOf(schema, root, tokens));
}

/** Follows references, and takes the one branch of a union that is not null. */
function settled(given: unknown, root: JsonSchema): Schema {
  let schema: Schema = isObject(given) ? given : {};
  for (let step = 0; step < 16; step++) {
    if (typeof schema.$ref === "string" && schema.$ref.startsWith("#")) {
      const target = resolvePointer(root, decoded(schema.$ref.slice(1)));
      schema = isObject(target) ? target : {};
      continue;
    }
    const union = Array.isArray(schema.anyOf) ? schema.anyOf : Array.isArray(schema.oneOf) ? schema.oneOf : null;
    const branches = union?.filter((branch) => isObject(branch) && branch.type !== "null") ?? [];
    if (branches.length !== 1) break;
    schema = branches[0] as Schema;
  }
  return schema;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function fieldOf(schema: Schema, root: JsonSchema, tokens: readonly string[]): OutputField {
  const allowed = allowedOf(schema);
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== "null");
  const type: unknown = types.length === 1 ? types[0] : undefined;
  const kind = type === "boolean" ? "boolean" : allowed ? "class" : kindOf(type, schema, root);
  return {
    pointer: pointerOf(tokens),
    tokens,
    kind,
    allowed,
    integer: type === "integer",
    description: [tokens.at(-1), schema.title, schema.description].filter((text) => typeof text === "string").join(" "),
    told: [schema.title, schema.description].filter((text) => typeof text === "string").join(" "),
    fits: lazyFit(schema, root),
  };
}

function allowedOf(schema: Schema): Scalar[] | null {
  if (Array.isArray(schema.enum)) return schema.enum.filter(isScalar);
  return "const" in schema && isScalar(schema.const) ? [schema.const] : null;
}

function kindOf(type: unknown, schema: Schema, root: JsonSchema): OutputField["kind"] {
  if (type === "number" || type === "integer") return "number";
  if (type === "string" || (type === undefined && schema.type === undefined && !("items" in schema))) return "text";
  const items = type === "array" ? settled(schema.items, root) : {};
  return type === "array" && items.type === "string" && !Array.isArray(items.enum) ? "texts" : "unsupported";
}

/** Whether a value keeps all that the schema asks of it: lengths, patterns, bounds. Compiled when it is first asked. */
function lazyFit(schema: Schema, root: JsonSchema): (value: unknown) => boolean {
  let validate: Validator | undefined;
  return (value) => {
    if (!validate) {
      const whole = isObject((root as Schema).$defs) ? { ...schema, $defs: (root as Schema).$defs } : schema;
      const compiled = compileUserSchema(whole);
      validate = compiled.ok ? compiled.validate : () => compiled.faults;
    }
    return validate(value).length === 0;
  };
}

/** Fields as examples show them, for a skill whose schema names none: the top level of what they answered. */
export function fieldsOfExamples(outputs: readonly Readonly<Record<string, unknown>>[]): OutputField[] {
  const kinds = new Map<string, Set<string>>();
  for (const output of outputs) {
    for (const [name, value] of Object.entries(output)) {
      if (!isScalar(value) || value === null || kinds.size >= mostFields) continue;
      const kind = typeof value === "string" ? "text" : (typeof value as "boolean" | "number");
      kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
    }
  }
  return [...kinds].flatMap(([name, seen]) =>
    seen.size === 1 ? [freeField(`/${escapeToken(name)}`, [name], [...seen][0] as "text")] : [],
  );
}

/** A field that no schema says anything about. */
export function freeField(pointer: string, tokens: readonly string[], kind: OutputField["kind"]): OutputField {
  return {
    pointer,
    tokens,
    kind,
    allowed: null,
    integer: false,
    description: tokens.at(-1) ?? "",
    told: "",
    fits: () => true,
  };
}

/** The value of a field in an output; undefined: it has none that this model can learn. */
export function scalarAt(
  output: Readonly<Record<string, unknown>>,
  { pointer }: Pick<OutputField, "pointer">,
): Scalar | undefined {
  const value = resolvePointer(output, pointer);
  return isScalar(value) ? value : undefined;
}

/** Puts a value into an output, making the objects on the way. */
export function place(output: Record<string, unknown>, tokens: readonly string[], value: unknown): void {
  let at = output;
  for (const token of tokens.slice(0, -1)) {
    if (!Object.hasOwn(at, token)) define(at, token, {});
    at = at[token] as Record<string, unknown>;
  }
  define(at, tokens.at(-1) as string, value);
}

/** As an own member also where the name is `__proto__`. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function isScalar(value: unknown): value is Scalar {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
