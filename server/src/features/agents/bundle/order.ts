/** The order of fields in a file. It follows from the value alone: storage does not keep the order in which fields were given. */

type Sorter = (value: unknown) => unknown;

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

/** Fields of an object in a fixed order, then all others by name. */
function fields(order: readonly string[], inner: Readonly<Record<string, Sorter>> = {}): Sorter {
  return (value) => {
    if (!isObject(value)) return value;
    const known = order.filter((name) => Object.hasOwn(value, name) && value[name] !== undefined);
    const rest = Object.keys(value).filter((name) => !order.includes(name) && value[name] !== undefined);
    return Object.fromEntries(
      [...known, ...rest.sort(byName)].map((name) => [
        name,
        (Object.hasOwn(inner, name) ? inner[name]! : plain)(value[name]),
      ]),
    );
  };
}

const list =
  (item: Sorter): Sorter =>
  (value) =>
    Array.isArray(value) ? value.map(item) : value;

const plain: Sorter = (value) => (Array.isArray(value) ? value.map(plain) : fields([])(value));

const KEYWORDS = [
  "$schema",
  "$ref",
  "title",
  "description",
  "type",
  "const",
  "enum",
  "format",
  "pattern",
  "required",
  "additionalProperties",
  "properties",
];

/** A JSON Schema: what it is before what it holds; properties that are required first, in the order in which they are required. */
const schema: Sorter = (value) => {
  if (!isObject(value)) return value;
  const required = Array.isArray(value.required) ? value.required.filter((name) => typeof name === "string") : [];
  const map: Sorter = (children) => (isObject(children) ? mapSorted(children, [], schema) : children);
  return fields(KEYWORDS, {
    properties: (children) => (isObject(children) ? mapSorted(children, required, schema) : children),
    patternProperties: map,
    dependentSchemas: map,
    $defs: map,
    items: schema,
    contains: schema,
    additionalProperties: schema,
    propertyNames: schema,
    not: schema,
    if: schema,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: schema,
    else: schema,
    allOf: list(schema),
    anyOf: list(schema),
    oneOf: list(schema),
    prefixItems: list(schema),
  })(value);
};

function mapSorted(children: Record<string, unknown>, first: readonly string[], inner: Sorter): unknown {
  const all = fields(first)(children) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(all).map(([name]) => [name, inner(children[name])]));
}

const impact = fields(["money", "data", "reversible", "external", "persons"]);
const tool = fields(
  [
    "name",
    "description",
    "title",
    "kind",
    "base",
    "bases",
    "server",
    "tool",
    "request",
    "openapi",
    "connection",
    "arguments",
    "idempotency",
    "effect",
    "impact",
    "cost_usd",
  ],
  {
    arguments: schema,
    impact,
    request: fields(["method", "url", "query", "headers", "body"]),
    openapi: fields(["url", "operation"]),
  },
);
const skill = fields(
  [
    "name",
    "description",
    "title",
    "input",
    "output",
    "instructions",
    "tools",
    "subject",
    "impact",
    "limits",
    "examples",
  ],
  {
    input: schema,
    output: schema,
    impact,
    limits: fields(["steps", "seconds", "tokens", "cost_usd"]),
    examples: list(fields(["name", "input", "output"])),
  },
);
const bundle = fields(["agent", "description", "labels", "model", "instructions", "knowledge", "tools", "skills"], {
  model: fields(["provider", "name", "connection", "settings"], {
    settings: fields(["base_url", "temperature", "top_p", "max_output_tokens", "seed", "price"], {
      price: fields(["input", "output"]),
    }),
  }),
  tools: list(tool),
  skills: list(skill),
});

/** A copy of a bundle or a definition with all fields in the order of the file. The same for all values that are equal. */
export function inFileOrder<T extends object>(value: T): T {
  return bundle(value) as T;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
