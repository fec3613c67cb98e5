import { YAML_LIMITS } from "@aos/yaml-source";
import { stringify } from "yaml";
import { HandoffDefinition } from "../../server/src/features/agents/definitions/handoff-schemas.ts";
import {
  AgentBundle,
  AnthropicModel,
  BuiltinModel,
  HttpTool,
  Impact,
  McpTool,
  OpenAiCompatibleModel,
  RecordTool,
  SearchTool,
  Skill,
} from "../../server/src/features/agents/definitions/schemas.ts";
import { defaultLimits } from "../../server/src/features/tasks/runs/rules.ts";
import { isObject, type Json, normalSchema } from "../../server/src/openapi/schema.ts";
import { usualOutputTokens } from "../../server/src/runtime/bounds.ts";
import { agent, handoff, models, skill, tools } from "./agent-file-examples.ts";
import { page, table } from "./reference.ts";

// The page of the agent file, made from its schema. A field without an example, or a default of a field that is gone, makes no page.

interface Section {
  readonly title: string;
  readonly about?: string;
  readonly schema: object;
  /** Parts of a file that have this form; every field stands in one of them. The first is shown. */
  readonly examples: readonly [object, ...object[]];
  /** Fields that have a section of their own: their rows stand there. */
  readonly apart?: readonly string[];
  /** What holds where a field is left out, by its path. */
  readonly defaults?: Readonly<Record<string, string>>;
}

const toolDefaults = {
  title: "the tool's name",
  description: "none",
  cost_usd: "0",
  arguments: "any object",
  impact: "harmless",
};
const remoteDefaults = {
  ...toolDefaults,
  connection: "none: without credentials",
  impact: "harmless; a version needs it of a tool that writes",
};
const sampling = {
  "settings.temperature": "the provider's",
  "settings.top_p": "the provider's",
  "settings.max_output_tokens": `${usualOutputTokens}, or less where a limit says so`,
  "settings.seed": "none",
  "settings.confidence_samples": "none: no probability is reported",
  "settings.price": "the list's",
};

const sections: readonly Section[] = [
  {
    title: "The file",
    about: "`model`, `handoff`, the items of `tools` and those of `skills` have their own sections below.",
    schema: AgentBundle,
    examples: [agent],
    apart: ["model", "handoff", "tools", "skills", "callers.tools[].impact"],
    defaults: {
      labels: "none",
      instructions: "none",
      knowledge: "none",
      callers: "nothing",
      "callers.formats": "false",
      "callers.images": "false",
      "callers.tools": "none",
      "callers.tools[].impact": "harmless; a version needs it of a rule that writes",
      "callers.wait_seconds": "3600",
      handoff: "never",
      tools: "none",
      skills: "none; a version needs one",
    },
  },
  {
    title: "model: the built-in model",
    about:
      "Looks up, copies, quotes and classifies, without a key and without a network ([what it is](../guide/agents-at-work.md#what-the-built-in-model-is)).",
    schema: BuiltinModel,
    examples: [models.builtin],
  },
  {
    title: "model: Anthropic and OpenAI",
    about:
      "`provider` is `anthropic` or `openai`; the other fields are the same. [Models and connections](../operations/models.md).",
    schema: AnthropicModel,
    examples: [models.hosted],
    defaults: {
      connection: "none: the provider refuses",
      settings: "the provider's",
      "settings.base_url": "the provider's",
      ...sampling,
    },
  },
  {
    title: "model: servers with OpenAI's interface",
    about: "Ollama, vLLM and others.",
    schema: OpenAiCompatibleModel,
    examples: [models.compatible],
    defaults: {
      connection: "none: without credentials",
      ...sampling,
      "settings.price": "none: money cannot be limited",
    },
  },
  {
    title: "handoff",
    about:
      "When conversations are handed to people, and to which team ([hand-over](../guide/chat.md)). The teams have to exist in an environment before a version with them is deployed there.",
    schema: HandoffDefinition,
    examples: [handoff, ...handoff.rules.map((rule) => ({ rules: [rule] }))],
    defaults: {
      teams: "none: no tool `hand_over`",
      rules: "none",
      "rules[].times": "2",
      "rules[].keywords": "none; `topic` needs some",
      "rules[].field": "amounts of money in the message",
      "rules[].above": "none; `value` needs it",
    },
  },
  {
    title: "tools: record",
    about: "Looks a record up in a knowledge base by its external id.",
    schema: RecordTool,
    examples: [tools.record],
    apart: ["impact"],
    defaults: { ...toolDefaults, arguments: "the record's id" },
  },
  {
    title: "tools: search",
    about: "Searches chunks of knowledge bases.",
    schema: SearchTool,
    examples: [tools.search],
    apart: ["impact"],
    defaults: { ...toolDefaults, bases: "all of the agent's", arguments: "a text to search for" },
  },
  {
    title: "tools: http",
    about: "Calls an HTTP interface. A version needs `request` or `openapi`.",
    schema: HttpTool,
    examples: [tools.http, tools.openapi],
    apart: ["impact"],
    defaults: {
      ...remoteDefaults,
      arguments: "any object; of `openapi` the operation's",
      request: "none",
      "request.query": "none",
      "request.headers": "none",
      "request.body": "none",
      openapi: "none",
      idempotency: "none",
    },
  },
  {
    title: "tools: mcp",
    about: "Calls one tool of an MCP server.",
    schema: McpTool,
    examples: [tools.mcp],
    apart: ["impact"],
    defaults: { ...remoteDefaults, arguments: "as the server says", tool: "this tool's own name", idempotency: "none" },
  },
  {
    title: "skills",
    about: "What the agent can be asked for.",
    schema: Skill,
    examples: [skill],
    apart: ["impact"],
    defaults: {
      ...{
        title: "the skill's name and what identifies the input",
        description: "none",
        output: "any object",
        instructions: "none",
        tools: "none",
        subject: "none",
        impact: "harmless",
      },
      ...{
        limits: "those below",
        "limits.steps": String(defaultLimits.steps),
        "limits.seconds": String(defaultLimits.seconds),
      },
      "limits.tokens": "no limit",
      "limits.cost_usd": "no limit",
      examples: "none",
      "examples[].name": "none",
    },
  },
  {
    title: "impact",
    about:
      "What acting could do at worst, of a skill and of a tool. The risk of a call, and who has to approve it, come from here.",
    schema: Impact,
    examples: [skill.impact],
    defaults: { money: "0", data: "public", reversible: "true", external: "false", persons: "0" },
  },
];

/** `docs/reference/agent-file.md`. */
export function agentFilePage(): string {
  const head = ["Field", "Type", "Left out", "Limits", "Example", "What it is"];
  const parts = sections.flatMap((section) => [
    `## ${section.title}`,
    ...(section.about ? [section.about] : []),
    table(head, rowsOf(section)),
    ...(section.title === "The file"
      ? []
      : [
          `\`\`\`yaml\n${stringify(section.examples[0], { lineWidth: 120, collectionStyle: "any" }).trimEnd()}\n\`\`\``,
        ]),
  ]);
  const whole = `\`\`\`yaml\n${stringify(agent, { lineWidth: 120, aliasDuplicateObjects: false }).trimEnd()}\n\`\`\``;
  const limits = `A file is YAML 1.2 or JSON in UTF-8, with at most ${many(YAML_LIMITS.characters)} characters, ${YAML_LIMITS.depth} levels and ${many(YAML_LIMITS.values)} values. A field that is not on this page is refused with its line, its column and the nearest name. Nothing secret belongs into it: [connections](../operations/models.md) hold credentials.`;
  const commands =
    "`aos agents apply -f clerk.yaml` makes the agent what its file says, `--note` freezes that as a version and `--deploy` deploys it; `aos agents diff -f clerk.yaml` shows what would change, and `aos agents get clerk --yaml` writes the file of an agent ([first agent](../guide/first-agent.md), [to production](../guide/to-production.md)).";
  return page(
    "The agent file",
    "An agent as a file: what it can be asked for, what it may use, and how far it may go.",
    commands,
    limits,
    "## A whole file",
    whole,
    ...parts,
  );
}

/** Every example as a whole file, for the test that reads them. */
export const agentFileExamples = (): readonly object[] => [
  agent,
  ...Object.values(models).map((model) => ({ ...agent, model })),
  ...Object.values(tools).map((tool) => ({
    ...agent,
    tools: [...agent.tools.filter(({ name }) => name !== tool.name), tool],
  })),
];

function rowsOf({ schema, examples, apart = [], defaults = {}, title }: Section): string[][] {
  const fields = fieldsOf(normalSchema(schema), "", apart);
  const strange = Object.keys(defaults).find((path) => !fields.some((field) => field.path === path));
  if (strange !== undefined)
    throw new Error(`The agent file's page has a default of ${title}, ${strange}, which is no field.`);
  return fields.map(({ path, schema: own, required }) => {
    const example = examples.map((one) => at(one, path)).find((value) => value !== undefined);
    const left = required
      ? "required"
      : (defaults[path] ?? (own.default === undefined ? undefined : JSON.stringify(own.default)));
    if (example === undefined) throw new Error(`The agent file's page has no example of ${title}, ${path}.`);
    if (left === undefined)
      throw new Error(`The agent file's page does not say what holds where ${title}, ${path} is left out.`);
    return [
      `\`${path}\``,
      typeOf(own, path, apart),
      left,
      limitsOf(own),
      shown(example),
      String(own.description ?? ""),
    ];
  });
}

interface Field {
  readonly path: string;
  readonly schema: Json;
  readonly required: boolean;
}

/** The fields of an object and of the objects inside it. */
function fieldsOf(schema: Json, before: string, apart: readonly string[]): Field[] {
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, own]) => {
    const path = before + name;
    const field = { path, schema: own, required: required.includes(name) };
    const items = isObject(own.items) ? own.items : undefined;
    if (apart.includes(path)) return [field];
    if (items?.properties) return [field, ...fieldsOf(items, `${path}[].`, apart)];
    return [field, ...(own.properties ? fieldsOf(own, `${path}.`, apart) : [])];
  });
}

function typeOf(schema: Json, path: string, apart: readonly string[]): string {
  const values = schema.const === undefined ? (schema.enum as unknown[] | undefined) : [schema.const];
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (apart.includes(path) && schema.type !== "array")
    return `object, [below](#${path === "model" ? "model-the-built-in-model" : path.split(".").at(-1)})`;
  if (schema.type === "array")
    return isObject(schema.items) && schema.items.type === "string" ? "list of texts" : "list of objects, below";
  if (schema.type === "string") return "text";
  if (schema.type === "boolean") return "`true`, `false`";
  if (schema.type === "integer") return "whole number";
  if (schema.type === "object") return "object";
  return typeof schema.type === "string" ? schema.type : "any value";
}

function limitsOf(schema: Json): string {
  const { items } = schema;
  const { pattern, minLength, maxLength, minimum, exclusiveMinimum, maximum, minItems, maxItems, uniqueItems } =
    schema as Record<string, never>;
  const said = [
    pattern === undefined ? null : `\`${pattern}\``,
    range(minLength, maxLength, "characters"),
    exclusiveMinimum === undefined ? range(minimum, maximum, "") : `above ${exclusiveMinimum}, at most ${maximum}`,
    range(minItems, maxItems, "items"),
    uniqueItems === true ? "no two alike" : null,
    isObject(items) && items.type === "string" && limitsOf(items) !== "–" ? `each: ${limitsOf(items)}` : null,
  ].filter((text) => text !== null);
  return said.length === 0 ? "–" : said.join("; ");
}

function range(least: number | undefined, most: number | undefined, of: string): string | null {
  if (least === undefined && most === undefined) return null;
  const numbers =
    most === undefined
      ? `from ${many(least ?? 0)}`
      : least === undefined
        ? `at most ${many(most)}`
        : `${many(least)} to ${many(most)}`;
  return `${numbers} ${of}`.trim();
}

const many = (number: number): string => number.toLocaleString("en-US");

/** The value that a path leads to, such as `examples[].input`. */
function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((holder, step) => {
    if (!isObject(holder)) return undefined;
    const inside = holder[step.replace("[]", "")];
    return step.endsWith("[]") && Array.isArray(inside) ? inside[0] : inside;
  }, value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? "below" : `\`${text}\``;
}
