import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { fullBundle } from "./bundle.fixture.ts";
import { parseBundle, parseBundleValue } from "./parse.ts";
import { writeBundle } from "./write.ts";

const lines = (text: string): string[] => {
  const result = parseBundle(text);
  return result.ok
    ? []
    : result.faults.map(({ line, column, pointer, code, detail }) => `${line}:${column} ${pointer} ${code}: ${detail}`);
};
/** Faults of the full bundle with something changed. */
const changed = (change: (bundle: ReturnType<typeof copy>) => void): string[] => {
  const bundle = copy();
  change(bundle);
  const result = parseBundleValue(bundle);
  return result.ok ? [] : result.faults.map(({ pointer, code }) => `${pointer} ${code}`);
};
// biome-ignore lint/suspicious/noExplicitAny: what is changed here is what the type forbids
const copy = (): any => structuredClone(fullBundle);

it("reads the sample agent that comes with the service", async () => {
  const result = parseBundle(await readFile(new URL("../../../../seed/sales.yaml", import.meta.url), "utf8"));
  expect(result.ok && result.bundle.skills.map(({ name }) => name)).toEqual([
    "qualify_lead",
    "summarize_lead",
    "route_lead",
  ]);
});

it("reads an agent that lists neither tools nor skills as a draft without any", () => {
  expect(parseBundle("agent: blank\ndescription: Not much yet.\nmodel: { provider: builtin }")).toEqual({
    ok: true,
    bundle: { agent: "blank", description: "Not much yet.", model: { provider: "builtin" }, tools: [], skills: [] },
  });
});

it("says every fault of a file at once, in the order of the text, each with line, column, pointer and remedy", () => {
  const text = `agent: Sales
descripton: Qualifies leads.
description: Qualifies leads.
model: { provider: bultin }
knowledge: [leads]
tools:
  - name: get_lead
    kind: record
    base: leeds
    effect: write
  - name: get_lead
    kind: htp
skills:
  - name: qualify_lead
    input: { type: objekt }
    tools: [get_leads]
    limits: { steps: 0 }
  - name: route_lead
    input: { type: object, properties: { lead_id: { type: string, pattern: "(?=x)" } } }
    subject: leadid
    tools: [get_leads]
`;
  expect(lines(text)).toMatchInlineSnapshot(`
    [
      "1:8 /agent pattern: must match the pattern \`^[a-z][a-z0-9-]{0,39}$\`",
      "2:1 /descripton unknown_field: is not known here; did you mean \`description\`?",
      "4:20 /model/provider not_allowed: must be one of \`builtin\`, \`anthropic\`, \`openai\`, \`openai-compatible\`; did you mean \`builtin\`?",
      "9:11 /tools/0/base unknown_base: names none of the agent's \`knowledge\`; did you mean \`leads\`?",
      "10:13 /tools/0/effect not_allowed: must be \`read\`",
      "11:11 /tools/1/name duplicate_name: is the name of another tool as well; give each its own",
      "12:11 /tools/1/kind not_allowed: must be one of \`record\`, \`search\`, \`http\`, \`mcp\`; did you mean \`http\`?",
      "15:20 /skills/0/input/type invalid_schema: is not valid JSON Schema (2020-12): it must be equal to one of the allowed values",
      "16:13 /skills/0/tools/0 unknown_tool: names none of the agent's \`tools\`; did you mean \`get_lead\`?",
      "17:22 /skills/0/limits/steps too_small: must be at least 1",
      "19:76 /skills/1/input/properties/lead_id/pattern pattern_refused: is refused: \`(?=\` at character 1: lookahead and lookbehind cannot be matched in linear time; split the rule into several patterns with allOf",
      "20:14 /skills/1/subject unknown_field: names no field of \`input\`; did you mean \`lead_id\`?",
      "21:13 /skills/1/tools/0 unknown_tool: names none of the agent's \`tools\`; did you mean \`get_lead\`?",
    ]
  `);
});

it("points at the part that lacks something, and follows aliases to where a value is written", () => {
  const text = "agent: a\ndescription: x\nmodel: { provider: openai }\nskills:\n  - &s\n    name: one\n  - *s\n";
  expect(lines(text).map((line) => line.split(": ")[0])).toEqual([
    "3:8 /model/name required",
    "6:5 /skills/0/input required",
    "6:11 /skills/1/name duplicate_name",
    "7:5 /skills/1/input required",
  ]);
});

it("explains fields that other systems have", () => {
  const text =
    "name: sales\nowner: mbr_1\ndescription: x\nsystem_prompt: x\nmodel: { provider: openai, name: m, temperature: 1, api_key: x }";
  expect(lines(text)).toMatchInlineSnapshot(`
    [
      "1:1 /agent required: is required; add it",
      "1:1 /name unknown_field: is not known here; the agent's name stands in \`agent\`",
      "2:1 /owner unknown_field: is not part of the file: the owner is who creates the agent. Leave it out; ownership is transferred through the API",
      "4:1 /system_prompt unknown_field: is not known here; instructions to the model go into \`instructions\`",
      "5:37 /model/temperature unknown_field: is not known here; it stands in \`settings\`",
      "5:53 /model/api_key secret_refused: is not known here, and a definition holds no secret; name a connection in \`connection\`",
    ]
  `);
});

it.each([
  ["a base that is not among its knowledge", (b) => (b.tools[0].base = "leads"), "/tools/0/base unknown_base"],
  [
    "a search over bases that are not its own",
    (b) => (b.tools[1].bases = ["price list", "prices"]),
    "/tools/1/bases/1 unknown_base",
  ],
  [
    "both a request and an OpenAPI operation",
    (b) => (b.tools[2].openapi = b.tools[3].openapi),
    "/tools/2/openapi not_allowed",
  ],
  [
    "a header with a credential",
    (b) => (b.tools[2].request.headers.Authorization = "Bearer x"),
    "/tools/2/request/headers/Authorization secret_refused",
  ],
  [
    "a header with a credential by another name",
    (b) => (b.tools[2].request.headers["X-Trace"] = "Bearer abc"),
    "/tools/2/request/headers/X-Trace secret_refused",
  ],
  [
    "a key in the query",
    (b) => (b.tools[2].request.query.api_key = "{amount}"),
    "/tools/2/request/query/api_key secret_refused",
  ],
  [
    "a password in an address",
    (b) => (b.tools[4].server = "https://user:pass@tools.example.com/"),
    "/tools/4/server secret_refused",
  ],
  [
    "a key in an address",
    (b) => (b.tools[3].openapi.url = "https://x.example.com/?token=1"),
    "/tools/3/openapi/url secret_refused",
  ],
  [
    "a key in its instructions",
    (b) => (b.instructions = `Use ${"ghp"}_${"a1".repeat(18)}.`),
    "/instructions secret_refused",
  ],
  ["an address of another scheme", (b) => (b.tools[4].server = "file:///etc/passwd"), "/tools/4/server format"],
  ["an address that is none", (b) => (b.model.settings.base_url = "localhost"), "/model/settings/base_url format"],
  [
    "an argument in the host",
    (b) => (b.tools[2].request.url = "https://{contract_id}.example.com/"),
    "/tools/2/request/url template",
  ],
  [
    "an argument in the host behind one slash",
    (b) => (b.tools[2].request.url = "https:/{contract_id}/"),
    "/tools/2/request/url template",
  ],
  [
    "an argument in the host behind three slashes",
    (b) => (b.tools[2].request.url = "https:///{contract_id}/"),
    "/tools/2/request/url template",
  ],
  [
    "an argument as the scheme",
    (b) => (b.tools[2].request.url = "{contract_id}//example.com/"),
    "/tools/2/request/url template",
  ],
  [
    "a placeholder that is no argument",
    (b) => (b.tools[2].request.body.amount = "{amuont}"),
    "/tools/2/request/body/amount unknown_argument",
  ],
  ["a single brace", (b) => (b.tools[2].request.body.text = "{ x"), "/tools/2/request/body/text template"],
  ["a body of a GET", (b) => (b.tools[2].request.method = "GET"), "/tools/2/request/body not_allowed"],
  [
    "a DELETE that says it reads",
    (b) => {
      b.tools[2].effect = "read";
      b.tools[2].request.method = "DELETE";
    },
    "/tools/2/effect wrong_effect",
  ],
  [
    "a header that is no header",
    (b) => (b.tools[2].idempotency.header = "Idempotency Key"),
    "/tools/2/idempotency/header field_name",
  ],
  [
    "a line break in a header",
    (b) => (b.tools[2].request.headers.Accept = "a\r\nX: y"),
    "/tools/2/request/headers/Accept format",
  ],
  [
    "a header that the service sets",
    (b) => (b.tools[2].request.headers.Host = "x"),
    "/tools/2/request/headers/Host not_allowed",
  ],
  [
    "arguments that are no JSON Schema",
    (b) => (b.tools[2].arguments.required = "x"),
    "/tools/2/arguments/required invalid_schema",
  ],
  [
    "arguments that are no object",
    (b) => (b.tools[0].arguments = { type: "string" }),
    "/tools/0/arguments/type not_allowed",
  ],
  [
    "an idempotency argument that is none",
    (b) => Object.assign(b.tools[4], { arguments: { type: "object" }, idempotency: { argument: "key" } }),
    "/tools/4/idempotency/argument unknown_argument",
  ],
  ["an unknown tool of a skill", (b) => (b.skills[0].tools = ["get_contracts"]), "/skills/0/tools/0 unknown_tool"],
  ["a schema without a type", (b) => (b.skills[0].input.type = undefined), "/skills/0/input/type required"],
  [
    "a schema with a keyword that does not exist",
    (b) => (b.skills[0].output.propertys = {}),
    "/skills/0/output invalid_schema",
  ],
  [
    "a title of a field that is not there",
    (b) => (b.skills[0].title = "Lead {{contract | money}}"),
    "/skills/0/title unknown_field",
  ],
  [
    "a title with a format that is none",
    (b) => (b.skills[0].title = "Lead {{lead_id | mony}}"),
    "/skills/0/title unknown_format",
  ],
  ["a title with half a place", (b) => (b.skills[0].title = "Lead {{lead_id}"), "/skills/0/title template"],
  ["a title of an unknown argument", (b) => (b.tools[2].title = "To {{nobody}}"), "/tools/2/title unknown_field"],
  ["an unknown subject", (b) => (b.skills[0].subject = "contract"), "/skills/0/subject unknown_field"],
  [
    "an example whose input does not fit",
    (b) => (b.skills[0].examples[1].input.contract_id = "x"),
    "/skills/0/examples/1/input/contract_id pattern",
  ],
  [
    "an example whose output does not fit",
    (b) => (b.skills[0].examples[0].output.amount = "10"),
    "/skills/0/examples/0/output/amount type",
  ],
  [
    "two examples of one name",
    (b) => (b.skills[0].examples[1].name = "small"),
    "/skills/0/examples/1/name duplicate_name",
  ],
  ["two skills of one name", (b) => b.skills.push(structuredClone(b.skills[0])), "/skills/1/name duplicate_name"],
  ["no name of a model that needs one", (b) => (b.model.name = undefined), "/model/name required"],
  [
    "no address of a compatible server",
    (b) => (b.model.settings.base_url = undefined),
    "/model/settings/base_url required",
  ],
  [
    "settings of the built-in model",
    (b) => (b.model = { provider: "builtin", settings: {} }),
    "/model/settings unknown_field",
  ],
  ["a record tool that writes", (b) => (b.tools[0].effect = "write"), "/tools/0/effect not_allowed"],
  ["a tool that is no object", (b) => (b.tools[0] = "get_contract"), "/tools/0 type"],
  // biome-ignore lint/suspicious/noExplicitAny: as above
] as [string, (bundle: any) => unknown, string][])("refuses %s", (_what, change, fault) => {
  expect(changed((bundle) => void change(bundle))).toContain(fault);
});

it("says of one mistake one fault", () => {
  expect(changed((bundle) => (bundle.tools[0].base = "leads"))).toHaveLength(1);
  expect(changed((bundle) => (bundle.tools[2].request.headers.Authorization = "Bearer x"))).toHaveLength(1);
  expect(changed((bundle) => (bundle.tools[0].kind = "recrod"))).toHaveLength(1);
});

it("never repeats what looks like a credential", () => {
  const secret = `sk-${"a1b2".repeat(8)}`;
  const bundle = copy();
  bundle.tools[2].request.headers = { Authorization: `Bearer ${secret}` };
  bundle.instructions = secret;
  expect(JSON.stringify(parseBundleValue(bundle))).not.toContain(secret);
});

it("takes reserved names of a dispatch as fields of an input: they travel inside `input`", () => {
  expect(changed((bundle) => (bundle.skills[0].input.properties.priority = { type: "integer" }))).toEqual([]);
});

it("takes an http tool without a request while the agent is a draft", () => {
  expect(changed((bundle) => delete bundle.tools[3].openapi)).toEqual([]);
});

it.each([null, 1, "x", [], [{}]])("answers %j with faults instead of an error", (value) => {
  const result = parseBundleValue(value);
  expect(result.ok ? [] : result.faults.map(({ pointer }) => pointer)).toEqual([""]);
});

it("refuses what is so large that its file could not be read back, and takes what is just below", () => {
  const bundle = copy();
  const skill = bundle.skills[0];
  skill.input = { type: "object" };
  delete skill.subject;
  // As many small values as fit, in the form that takes most text: one per line, deep inside.
  const wide = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`no ${index}: `, "no"]));
  skill.examples = [{ input: { a: { a: { a: { a: { a: { a: { a: wide(9_800) } } } } } } }, output: {} }];
  const taken = parseBundleValue(bundle);
  expect(taken.ok && parseBundle(writeBundle(taken.bundle))).toEqual({ ok: true, bundle });
  skill.examples[0].output = wide(200);
  expect(changed((other) => Object.assign(other, bundle))).toEqual([" too_large"]);
});

it("refuses texts that a file has no room for", () => {
  expect(
    changed((bundle) => {
      bundle.skills = Array.from({ length: 12 }, (_, index) => ({
        name: `s${index}`,
        input: { type: "object" },
        instructions: "x".repeat(90_000),
      }));
    }),
  ).toEqual([" too_large"]);
});
