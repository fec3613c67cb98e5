import fc from "fast-check";

/** A schema of the description. */
export type Schema = Readonly<Record<string, unknown>>;
type Resolve = (schema: Schema) => Schema;

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const clamp = (value: unknown, low: number, high: number): number =>
  Math.min(high, Math.max(low, typeof value === "number" ? value : low));

/** Values that fit a schema. What a schema cannot say (a rule between two members) they may break: the service says so by 422. */
export function valuesOf(given: Schema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map((one) => valuesOf(one, resolve, depth)));
  const types = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type as string | undefined];
  return fc.oneof(...types.map((type) => typed(type, schema, resolve, depth)));
}

function typed(type: string | undefined, schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  if (type === "string") return texts(schema);
  if (type === "integer") return integers(schema);
  if (type === "number")
    return fc.double({
      min: clamp(schema.minimum, -1e9, 1e9),
      max: clamp(schema.maximum ?? 1e9, -1e9, 1e9),
      noNaN: true,
    });
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "array") return lists(schema, resolve, depth);
  if (type === "object" || isObject(schema.properties)) return objects(schema, resolve, depth);
  return fc.jsonValue({ maxDepth: 1 });
}

/** Where whole numbers stop fitting: a PostgreSQL integer, a bigint's exact double, a double. */
const edges = [
  0,
  1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  1e308,
  -1,
  -(2 ** 31) - 1,
  Number.MIN_SAFE_INTEGER,
];

/** Ordinary numbers mostly, and those at the edges of what the schema allows. */
function integers(schema: Schema): fc.Arbitrary<number> {
  const min = typeof schema.minimum === "number" ? schema.minimum : Number.NEGATIVE_INFINITY;
  const max = typeof schema.maximum === "number" ? schema.maximum : Number.POSITIVE_INFINITY;
  const allowed = [...edges, min, max].filter((edge) => Number.isFinite(edge) && edge >= min && edge <= max);
  const ordinary = fc.integer({ min: clamp(schema.minimum, -1e9, 1e9), max: clamp(schema.maximum ?? 1e9, -1e9, 1e9) });
  return allowed.length === 0 ? ordinary : fc.oneof({ weight: 3, arbitrary: ordinary }, fc.constantFrom(...allowed));
}

/** Each arbitrary of texts is built once: that costs more than drawing from it. */
function once<Of extends readonly (string | number)[]>(build: (...of: Of) => fc.Arbitrary<string>) {
  const built = new Map<string, fc.Arbitrary<string>>();
  return (...of: Of): fc.Arbitrary<string> => {
    const key = JSON.stringify(of);
    const arbitrary = built.get(key) ?? build(...of);
    built.set(key, arbitrary);
    return arbitrary;
  };
}

const matching = once((pattern: string) => fc.stringMatching(new RegExp(pattern, "u")));
const ofLength = once((minLength: number, maxLength: number) => fc.string({ minLength, maxLength }));
const freeNames = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);

function texts(schema: Schema): fc.Arbitrary<string> {
  const [minLength, maxLength] = [clamp(schema.minLength, 0, 1000), clamp(schema.maxLength ?? 30, 0, 30)];
  if (schema.format === "date-time")
    return fc
      .date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
      .map((at) => at.toISOString());
  if (schema.format === "email") return fc.constantFrom("a@b.test", "someone@example.test");
  if (schema.format === "uri") return fc.constantFrom("https://example.test/a", "http://127.0.0.1:9/x?y=1", "urn:x:y");
  if (typeof schema.pattern === "string" && !schema.pattern.includes("\\u0000") && !schema.pattern.includes("(?"))
    return matching(schema.pattern);
  const plain = ofLength(minLength, Math.max(minLength, maxLength));
  const foreign = ["ü", "日本", "İstanbul", "\u{1f600}", "e\u0301"].filter(
    (text) => text.length >= minLength && [...text].length <= maxLength,
  );
  return foreign.length === 0
    ? plain
    : fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: fc.constantFrom(...foreign) });
}

function lists(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const minLength = clamp(schema.minItems, 0, 5);
  const items = isObject(schema.items) ? valuesOf(schema.items, resolve, depth + 1) : fc.jsonValue({ maxDepth: 0 });
  return fc.array(items, { minLength, maxLength: Math.max(minLength, depth > 3 ? 0 : 3) });
}

function objects(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  const entries = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(
    ([name]) => required.has(name) || depth < 2,
  );
  const model = Object.fromEntries(entries.map(([name, one]) => [name, valuesOf(one, resolve, depth + 1)]));
  const named = fc.record(model, { requiredKeys: entries.map(([name]) => name).filter((name) => required.has(name)) });
  const free = schema.additionalProperties;
  if (free === false || depth > 2) return named;
  const values = isObject(free) ? valuesOf(free, resolve, depth + 1) : fc.jsonValue({ maxDepth: 1 });
  const more = fc.dictionary(freeNames, values, {
    maxKeys: isObject(schema.properties) ? 1 : 3,
  });
  return fc.tuple(named, more).map(([own, others]) => ({ ...others, ...own }));
}

/** Values that hardly any schema takes, and that careless code trips over. */
export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    -0,
    1e308,
    2 ** 53,
    Number.MIN_SAFE_INTEGER,
    0.1,
    "",
    " ",
    "\n",
    "null",
    "toString",
    "__proto__",
    "constructor",
    "valueOf",
    2 ** 31,
    -(2 ** 31) - 1,
    "%00",
    "a\\u0000b",
    "'; drop table tasks; --",
    "../../etc/passwd",
    "{{7*7}}",
    "$" + "{7*7}",
    "\u202e",
    "\ufeff",
    "\u{1f600}",
    "İ",
    "ß",
    "a".repeat(10_000),
    [],
    [[]],
    {},
    { $ref: "#" },
    { constructor: { prototype: {} } },
    { toString: 1 },
    { length: -1 },
    JSON.parse('{"then":1}'),
    JSON.parse('{"__proto__":{"admin":true}}'),
  ),
);

/** Bodies as text or bytes that are no JSON, or JSON that only careless readers take. */
export const oddBodies: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    "",
    " ",
    "{",
    "}",
    "[",
    "null",
    "0",
    '"text"',
    "[]",
    "{}x",
    "{,}",
    "{'a':1}",
    '{"a":1,"a":2}',
    '{"a":01}',
    '{"a":1e999}',
    '{"a":-}',
    '{"a":"\\ud800"}',
    '{"a":"\\udc00\\ud800"}',
    '{"a":"\\u0000"}',
    '{"\\u0000":1}',
    '{"__proto__":{"a":1}}',
    '{"constructor":1,"prototype":2}',
    '{"a":"\t"}',
    "\ufeff{}",
    "// x",
    '{"a":NaN}',
    '{"a":Infinity}',
    `${"[".repeat(100_000)}`,
    `${'{"a":'.repeat(40)}1${"}".repeat(40)}`,
    `{"a":"${"x".repeat(1024 * 1024)}"}`,
    `[${"0,".repeat(50_000)}0]`,
    `{"a":${"9".repeat(5000)}}`,
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    Buffer.from('{"a":"\xe9"}', "latin1"),
    Buffer.from([0xc0, 0x80]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.alloc(100),
  ),
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => Buffer.from(text, "utf16le")),
  fc.json({ maxDepth: 3 }),
);

/** What may stand where a path names something. Sent percent-encoded. */
export const oddSegments: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "nobody",
    "tsk_01jd8x0000000000000000000a",
    "\0",
    "..",
    ".",
    "%",
    "a/b",
    "\u{1f600}",
    "ü",
    "İ",
    "a".repeat(299),
    "a".repeat(3000),
    "__proto__",
    "constructor",
    "2147483648",
    "9007199254740993",
    "1e308",
    "' or 1=1",
    "\r\n",
    "null",
    "-1",
    "0",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
);

/** Values of headers that HTTP carries. */
export const oddHeaderValues: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    '"',
    '"a',
    "W/",
    "*",
    "*, *",
    ",",
    ";",
    "=",
    "é",
    "\xff",
    "a".repeat(300),
    "a".repeat(5000),
    "text/html",
    "*/*;q=0",
    "application/*;q=2",
    "wait",
    "wait=x",
    "wait=-1",
    "-1",
    "1e3",
    "99999999999999999999",
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\t -~]/g, "")),
);
