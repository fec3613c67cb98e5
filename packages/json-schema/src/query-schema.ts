import { parsePointer } from "@aos/strict-json";
import { nearestName } from "@aos/text";
import { compileSchema, type JsonSchema, type Validator } from "./compiler.ts";
import { typeName } from "./faults.ts";

/** A fault of a query string: its parameter is always known. */
export interface ParameterFault {
  readonly parameter: string;
  readonly code: string;
  readonly detail: string;
}

/** Reads and validates a query string: the typed values, and every fault at once with its parameter. Values are whole only when there is no fault. */
export type QueryValidator = (search: URLSearchParams) => {
  readonly value: Record<string, unknown>;
  readonly faults: readonly ParameterFault[];
};

interface PropertySchema {
  readonly type?: string;
  readonly items?: PropertySchema;
  readonly anyOf?: readonly { readonly const?: unknown; readonly type?: string }[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

/** Text to value; undefined when the text cannot be one. */
type Reader = { readonly kind: string; readonly read: (text: string) => unknown };

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const text: Reader = { kind: "string", read: (value) => value };
const number: Reader = {
  kind: "number",
  read: (value) => (NUMBER.test(value) && Number.isFinite(Number(value)) ? Number(value) : undefined),
};
const integer: Reader = {
  kind: "integer",
  read: (value) => (NUMBER.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined),
};
const boolean: Reader = {
  kind: "boolean",
  read: (value) => (value === "true" ? true : value === "false" ? false : undefined),
};
const scalars: Readonly<Record<string, Reader>> = { string: text, number, integer, boolean };

/**
 * Compiles the schema of a query string: an object whose properties are text, numbers, booleans, or lists of these. Values are read by their type, lists
 * from one value with commas between (`status=queued,running`), and `default`s are filled in. Refused are unknown names (with the nearest valid one), names
 * given twice, empty items, and numbers in other than plain decimal form. Throws when the schema is of another kind, which is a mistake in the source.
 */
export function compileQuery(schema: JsonSchema): QueryValidator {
  const properties = (schema as { properties?: Record<string, PropertySchema> }).properties ?? {};
  const validate = compileSchema(schema);
  const readers = new Map(Object.entries(properties).map(([name, property]) => [name, readerOf(name, property)]));
  const defaults = Object.entries(properties).filter(([, property]) => property.default !== undefined);

  return (search) => {
    const value: Record<string, unknown> = {};
    const faults: ParameterFault[] = [];
    for (const name of new Set(search.keys())) {
      const found = readOne(name, search, readers);
      if ("fault" in found) faults.push(found.fault);
      else value[name] = found.value;
    }
    for (const [name, property] of defaults) if (!search.has(name)) value[name] = structuredClone(property.default);
    faults.push(...remainingFaults(validate, value, faults));
    return { value, faults };
  };
}

function readOne(
  name: string,
  search: URLSearchParams,
  readers: ReadonlyMap<string, Reader>,
): { fault: ParameterFault } | { value: unknown } {
  const refused = (code: string, detail: string) => ({ fault: { parameter: name, code, detail } });
  const reader = readers.get(name);
  if (reader === undefined) {
    const nearest = nearestName(name, readers.keys());
    const known = [...readers.keys()].map((one) => `\`${one}\``).join(", ");
    if (nearest !== null) return refused("unknown_parameter", `is not known here; did you mean \`${nearest}\`?`);
    return refused(
      "unknown_parameter",
      known === "" ? "is not known here; leave it out" : `is not known here; leave it out. Known are ${known}`,
    );
  }
  const given = search.getAll(name);
  const isList = reader.kind.startsWith("list of ");
  if (given.length > 1)
    return refused(
      "repeated_parameter",
      isList
        ? "is given more than once; give it once, with commas between its values"
        : "is given more than once; give it once",
    );
  const value = reader.read(given[0]!);
  if (value !== undefined) return { value };
  return refused(
    "type",
    isList
      ? `must be a list with commas between its items, each ${typeName(reader.kind.slice(8))} and none empty`
      : `must be ${typeName(reader.kind)}`,
  );
}

/** Faults against the schema of what could be read; parameters that already have a fault are not blamed twice. */
function remainingFaults(
  validate: Validator,
  value: Record<string, unknown>,
  before: readonly ParameterFault[],
): ParameterFault[] {
  const blamed = new Set(before.map((fault) => fault.parameter));
  const found: ParameterFault[] = [];
  for (const { pointer, code, detail } of validate(value)) {
    const parameter = parsePointer(pointer)?.[0] ?? "";
    if (!blamed.has(parameter)) found.push({ parameter, code, detail });
  }
  return found;
}

function readerOf(name: string, property: PropertySchema): Reader {
  if (property.type === "array") {
    const item = property.items === undefined ? undefined : scalarReader(property.items);
    if (item !== undefined) return { kind: `list of ${item.kind}`, read: (value) => readList(value, item) };
  } else {
    const reader = scalarReader(property);
    if (reader !== undefined) return reader;
  }
  throw new TypeError(`the query parameter ${name} must be text, a number, a boolean or a list of these`);
}

function scalarReader(property: PropertySchema): Reader | undefined {
  if (property.type !== undefined) return scalars[property.type];
  const values =
    property.enum ??
    property.anyOf?.map((branch) => branch.const) ??
    (property.const === undefined ? [] : [property.const]);
  const types = new Set(values.map((value) => typeof value));
  return types.size === 1 ? scalars[[...types][0]!] : undefined;
}

function readList(value: string, item: Reader): unknown[] | undefined {
  const items = value.split(",").map((one) => (one === "" ? undefined : item.read(one)));
  return items.includes(undefined) ? undefined : items;
}
