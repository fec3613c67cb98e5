import fc from "fast-check";
import type { AgentBundle, SkillDefinition, ToolDefinition } from "../schemas.ts";

/** A bundle that has every kind of everything. */
export const fullBundle: AgentBundle = {
  agent: "renewals",
  description: "Prepares renewals: finds the contract, drafts the offer.",
  labels: ["sample", "no"],
  model: {
    provider: "openai-compatible",
    name: "sample-model:8b",
    connection: "local-models",
    settings: { base_url: "http://127.0.0.1:11434/v1", temperature: 0.2, max_output_tokens: 2000 },
  },
  instructions: "Work only from the contract.\n\nNever guess a price.\n",
  knowledge: ["contracts", "price list"],
  tools: [
    { name: "get_contract", kind: "record", base: "contracts", effect: "read" },
    { name: "find_price", kind: "search", bases: ["price list"], effect: "read" },
    {
      name: "send_offer",
      description: "Sends the offer.",
      kind: "http",
      request: {
        method: "POST",
        url: "https://mail.example.com/v1/offers/{contract_id}",
        query: { draft: "false" },
        headers: { Accept: "application/json" },
        body: { amount: "{amount}", text: "Literal {{braces}}" },
      },
      connection: "mail",
      arguments: {
        type: "object",
        required: ["contract_id"],
        properties: { contract_id: { type: "string" }, amount: { type: "number" } },
      },
      idempotency: { header: "Idempotency-Key" },
      effect: "write",
      impact: { money: 500, data: "personal", reversible: false, external: true, persons: 1 },
      cost_usd: 0.03,
    },
    {
      name: "book_call",
      kind: "http",
      openapi: { url: "https://calendar.example.com/openapi.json", operation: "createEvent" },
      effect: "write",
      impact: {},
    },
    { name: "look_up", kind: "mcp", server: "https://tools.example.com/mcp", tool: "lookup-v2", effect: "read" },
  ],
  skills: [
    {
      name: "draft_offer",
      description: "Drafts the offer.",
      input: {
        type: "object",
        required: ["contract_id"],
        properties: { contract_id: { type: "string", pattern: "^ct_" } },
      },
      output: { type: "object", properties: { amount: { type: "number" }, text: { type: "string" } } },
      instructions: "Find the contract.\nDraft the offer.",
      tools: ["get_contract", "find_price", "send_offer"],
      subject: "contract_id",
      impact: { data: "personal" },
      limits: { steps: 12, seconds: 120, tokens: 20_000, cost_usd: 0.2 },
      examples: [
        { name: "small", input: { contract_id: "ct_1" }, output: { amount: 10 } },
        { input: { contract_id: "ct_2" }, output: { amount: 20, text: "Two\nlines" } },
      ],
    },
  ],
};

const awkward = [
  ..."constructor|toString|hasOwnProperty|length| leading|trailing |no|Yes|~|null|1e3|0o17|0x1F|1_000".split("|"),
  ...".5|-|- a|? b|: c|a: b|a #b|#|@at|`tick|%TAG|---|...|<<|=|!tag|&anchor|*alias|>|[x]|{x}|a,b|'".split("|"),
  ..."é ü 漢字 🦔|2026-01-31|12:30:45|true".split("|"),
  "",
  "|",
  '"',
  "\\",
  "\t",
  "\ttab",
  "a\tb",
  "\n",
  "\n\n",
  "a\n",
  "a\n\n",
  "\na",
  " a\n b",
  "a\n  \nb",
  "a \nb",
  "a\r\nb\r\n",
  "a\rb",
  "a\n\tb",
  "a\n ",
  "---\na",
  "a\n---\nb",
  "a\n...\n",
  "a\n# no comment",
  "\u0085",
  "\u2028x",
  "\u00a0",
  "\ufeffx",
  "\u0007",
  "\u007f",
  "key: |\n  text\n",
];

const readable = (text: string): boolean => text.isWellFormed() && !/\0|\p{Noncharacter_Code_Point}/u.test(text);

/** Texts of every kind that JSON may hold and YAML makes hard. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 20 }).filter(readable),
  fc
    .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ maxLength: 60 })), { maxLength: 8 })
    .map((lines) => lines.join("\n")),
);

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/);
const anyNumber = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((number) => (number === 0 ? 0 : number));
const unique = <T>(items: fc.Arbitrary<T>, by: (item: T) => unknown, maxLength = 4): fc.Arbitrary<T[]> =>
  fc.uniqueArray(items, { selector: by, maxLength });
/** Without the members that are undefined: JSON has none. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, requiredKeys: (keyof T)[]): fc.Arbitrary<T> =>
  fc.record(model, { requiredKeys, noNullPrototype: true } as never) as fc.Arbitrary<T>;

const leaf = fc.oneof(
  record({ type: fc.constant("string"), description: anyText, default: anyText }, ["type"]),
  record({ type: fc.constantFrom("number", "integer", "boolean"), title: anyText }, ["type"]),
  record(
    {
      enum: unique(fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)), JSON.stringify).filter(
        (list) => list.length > 0,
      ),
    },
    ["enum"],
  ),
);
const fieldName = fc.oneof(
  word,
  anyText.filter((name) => name !== "__proto__"),
);

/** JSON Schemas of objects whose properties no value is held to yet: no example can break them. */
const anySchema: fc.Arbitrary<Record<string, unknown>> = fc
  .uniqueArray(
    fc.tuple(
      fieldName,
      fc.oneof(leaf, fc.record({ type: fc.constant("array"), items: leaf }, { noNullPrototype: true })),
    ),
    {
      selector: ([name]) => name,
      maxLength: 5,
    },
  )
  .chain((properties) =>
    fc.record(
      { type: fc.constant("object"), description: anyText, properties: fc.constant(Object.fromEntries(properties)) },
      { requiredKeys: ["type"], noNullPrototype: true },
    ),
  );

const freeObject = fc.dictionary(
  fieldName,
  fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null), fc.array(anyText, { maxLength: 3 })),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);

const impact = record(
  {
    money: fc.nat(),
    data: fc.constantFrom("public", "internal", "confidential", "personal", "restricted"),
    reversible: fc.boolean(),
    external: fc.boolean(),
    persons: fc.nat(),
  },
  [],
);
const limits = record(
  { steps: fc.integer({ min: 1, max: 1000 }), cost_usd: fc.double({ min: 0, max: 10, noNaN: true }).map((n) => n + 0) },
  [],
);
const base = fc.constantFrom("leads", "no", "price list");
const plainText = anyText.filter((text) => !/[{}]/.test(text));
const headers = fc.dictionary(
  fc.constantFrom("Accept", "X-Trace", "User-Agent"),
  fc.constantFrom("application/json", "", "no", "a: b"),
  {
    noNullPrototype: true,
  },
);

const anyCost = fc.constantFrom(0, 0.000001, 0.03, 2);

const tool: fc.Arbitrary<ToolDefinition> = fc.oneof(
  record(
    {
      name: word,
      description: anyText,
      kind: fc.constant("record"),
      base,
      effect: fc.constant("read"),
      impact,
      cost_usd: anyCost,
    },
    ["name", "kind", "base", "effect"],
  ),
  record(
    {
      name: word,
      kind: fc.constant("search"),
      bases: unique(base, String).filter((list) => list.length > 0),
      effect: fc.constant("read"),
      arguments: anySchema,
    },
    ["name", "kind", "effect"],
  ),
  record(
    {
      name: word,
      kind: fc.constant("http"),
      request: record(
        {
          method: fc.constantFrom("POST", "PUT"),
          url: fc.constantFrom("https://api.example.com/x?y=1#z", "http://127.0.0.1:8080/"),
          query: fc.dictionary(
            word.map((name) => `q_${name}`),
            plainText,
            { maxKeys: 2, noNullPrototype: true },
          ),
          headers,
          body: fc.oneof(
            plainText,
            anyNumber,
            fc.constant(null),
            fc.dictionary(fieldName, plainText, { maxKeys: 2, noNullPrototype: true }),
          ),
        },
        ["method", "url"],
      ),
      connection: word,
      effect: fc.constant("write"),
      impact,
    },
    ["name", "kind", "effect"],
  ),
  record(
    {
      name: word,
      kind: fc.constant("mcp"),
      server: fc.constant("https://mcp.example.com/"),
      tool: anyText.filter((t) => t !== ""),
      effect: fc.constantFrom("read", "write"),
    },
    ["name", "kind", "server", "effect"],
  ),
) as fc.Arbitrary<ToolDefinition>;

function skill(tools: readonly string[]): fc.Arbitrary<SkillDefinition> {
  return record(
    {
      name: word,
      description: anyText,
      input: anySchema,
      output: anySchema,
      instructions: anyText,
      tools: fc.subarray([...tools]),
      impact,
      limits,
    },
    ["name", "input"],
  ) as fc.Arbitrary<SkillDefinition>;
}

const withExamples = (one: fc.Arbitrary<SkillDefinition>): fc.Arbitrary<SkillDefinition> =>
  one.chain((made) =>
    unique(
      record({ name: word, input: freeObject, output: freeObject }, ["input", "output"]),
      (example) => example.name ?? example,
    ).map((examples) => ({
      ...made,
      // Whatever the values are, they fit a schema that asks for nothing.
      input: { type: "object" },
      output: { type: "object" },
      examples: examples as NonNullable<SkillDefinition["examples"]>,
    })),
  );

const model = fc.oneof(
  fc.constant({ provider: "builtin" }),
  record(
    {
      provider: fc.constantFrom("anthropic", "openai"),
      name: anyText.filter((t) => t !== ""),
      settings: record({ temperature: fc.double({ min: 0.1, max: 2, noNaN: true }), seed: fc.nat() }, []),
    },
    ["provider", "name"],
  ),
) as fc.Arbitrary<AgentBundle["model"]>;

const agentName = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);

/** Bundles without fault, of every kind. */
export const anyBundle: fc.Arbitrary<AgentBundle> = unique(tool, ({ name }) => name).chain((tools) =>
  record(
    {
      agent: agentName,
      description: anyText,
      labels: unique(
        anyText.filter((text) => text !== "" && [...text].length <= 64),
        String,
      ),
      model,
      instructions: anyText,
      knowledge: fc.constant(["leads", "no", "price list"]),
      tools: fc.constant(tools),
      skills: unique(fc.oneof(skill(tools.map(({ name }) => name)), withExamples(skill([]))), ({ name }) => name),
    },
    ["agent", "description", "model", "knowledge", "tools", "skills"],
  ),
) as fc.Arbitrary<AgentBundle>;
