import { isObject } from "./faults.ts";

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

const words = (text: string): string[] => text.split(" ");

const KEYWORDS = words(
  "$schema $ref title description type const enum format pattern required additionalProperties properties",
);

/** A JSON Schema: what it is before what it holds; properties that are required first, in the order in which they are required. */
const schema: Sorter = (value) => {
  if (!isObject(value)) return value;
  const required = Array.isArray(value.required) ? value.required.filter((name) => typeof name === "string") : [];
  const map: Sorter = (children) => (isObject(children) ? mapSorted(children, [], schema) : children);
  const each = (names: string, sorter: Sorter) => Object.fromEntries(words(names).map((name) => [name, sorter]));
  return fields(KEYWORDS, {
    ...each("patternProperties dependentSchemas $defs", map),
    ...each("items contains additionalProperties propertyNames not if then else", schema),
    ...each("allOf anyOf oneOf prefixItems", list(schema)),
    properties: (children) => (isObject(children) ? mapSorted(children, required, schema) : children),
  })(value);
};

function mapSorted(children: Record<string, unknown>, first: readonly string[], inner: Sorter): unknown {
  const all = fields(first)(children) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(all).map(([name]) => [name, inner(children[name])]));
}

const impact = fields(words("money data reversible external persons"));
const tool = fields(
  words(
    "name description title kind base bases server tool request openapi connection arguments idempotency effect impact cost_usd",
  ),
  {
    arguments: schema,
    impact,
    request: fields(words("method url query headers body")),
    openapi: fields(words("url operation")),
  },
);
const skill = fields(words("name description title input output instructions tools subject impact limits examples"), {
  input: schema,
  output: schema,
  impact,
  limits: fields(words("steps seconds tokens cost_usd")),
  examples: list(fields(words("name input output"))),
});
const settings = fields(words("base_url temperature top_p max_output_tokens seed price"), {
  price: fields(words("input output")),
});
const model = fields(words("provider name connection settings"), { settings });
const bundle = fields(words("agent description labels model instructions knowledge callers handoff tools skills"), {
  model,
  callers: fields(words("formats images tools wait_seconds"), {
    tools: list(fields(words("tool effect impact"), { impact })),
  }),
  handoff: fields(words("teams rules"), {
    teams: list(fields(words("team for"))),
    rules: list(fields(words("when team times keywords field above"))),
  }),
  tools: list(tool),
  skills: list(skill),
});

/** A copy of a bundle or a definition with all fields in the order of the file. The same for all values that are equal. */
export function inFileOrder<T extends object>(value: T): T {
  return bundle(value) as T;
}
