import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { compileUserSchema } from "@aos/json-schema";
import type { Conversation } from "./conversation.ts";
import { wordsOf } from "./grams.ts";
import { leavesOf } from "./leaves.ts";

/** A call of a tool. */
export interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Properties = Readonly<Record<string, unknown>>;

const mostQueryWords = 24;
const mostQueryCharacters = 400;
const mostCalls = 16;

/**
 * The calls of this turn: first every tool whose required arguments the input has under their own names, each once; then, where text is to be found, the tools
 * that search, by words of the input and of what was found. None: it is time to answer.
 */
export function nextCalls(
  conversation: Conversation,
  options: LanguageModelV4CallOptions,
  textWanted: boolean,
  topic: string,
): Call[] {
  const offered = offeredTools(options).filter((tool) => !conversation.asked.has(tool.name));
  const calls: Call[] = [];
  for (const tool of offered) {
    if (isSearch(tool) || tool.name === handOverTool) continue;
    const given = argumentsFrom(tool, conversation.input);
    // In a conversation not every message is about everything that can be looked up.
    if (given && !(conversation.chat && Object.keys(given).length === 0))
      calls.push({ tool: tool.name, arguments: given });
  }
  if (calls.length > 0 || !textWanted) return calls.slice(0, mostCalls);
  const query = conversation.chat ? messageQuery(conversation) : queryOf(conversation, topic);
  if (query === "") return [];
  return offered
    .filter(isSearch)
    .map((tool) => ({ tool: tool.name, arguments: { query } }))
    .slice(0, mostCalls);
}

/** The tool by which an agent asks for a person. */
export const handOverTool = "hand_over";

/** None where it is not offered, was called before, or requires what nobody said. Of several teams it takes the first. */
export function handOverCall({ asked, input }: Conversation, options: LanguageModelV4CallOptions): Call[] {
  const tool = offeredTools(options).find(({ name }) => name === handOverTool);
  if (!tool || asked.has(handOverTool)) return [];
  const team = firstChoice(tool, "team");
  const own = { reason: "The user asks for a person.", summary: input.message, ...(team !== undefined && { team }) };
  const given = argumentsFrom(tool, { ...input, ...own });
  return given ? [{ tool: tool.name, arguments: given }] : [];
}

function firstChoice({ inputSchema }: LanguageModelV4FunctionTool, name: string): unknown {
  const { enum: choices } = (propertiesOf(inputSchema)[name] ?? {}) as { readonly enum?: unknown };
  return Array.isArray(choices) ? choices[0] : undefined;
}

function offeredTools({ tools, toolChoice }: LanguageModelV4CallOptions): LanguageModelV4FunctionTool[] {
  if (toolChoice?.type === "none") return [];
  const functions = (tools ?? []).filter((tool) => tool.type === "function");
  return toolChoice?.type === "tool" ? functions.filter(({ name }) => name === toolChoice.toolName) : functions;
}

/** A tool that takes a query, and requires nothing else. */
function isSearch({ inputSchema }: LanguageModelV4FunctionTool): boolean {
  const { required } = inputSchema;
  return (
    Array.isArray(required) &&
    required.length === 1 &&
    required[0] === "query" &&
    propertiesOf(inputSchema).query !== undefined
  );
}

function propertiesOf(schema: LanguageModelV4FunctionTool["inputSchema"]): Properties {
  return typeof schema.properties === "object" && schema.properties !== null ? schema.properties : {};
}

/** The tool's arguments out of the input's fields of the same names; null: a required one is missing, or they do not fit. */
function argumentsFrom({ inputSchema }: LanguageModelV4FunctionTool, input: Properties): Properties | null {
  const required: readonly string[] = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const names = new Set([...required, ...Object.keys(propertiesOf(inputSchema))]);
  const given: [string, unknown][] = [];
  for (const name of names) {
    const has = Object.hasOwn(input, name) && input[name] !== null && input[name] !== "";
    if (has) given.push([name, input[name]]);
    else if (required.includes(name)) return null;
  }
  const found = Object.fromEntries(given);
  return fits(inputSchema, found) ? found : null;
}

const validators = new Map<string, (value: unknown) => boolean>();
const mostValidators = 500;

/** By the schema's text: a prompt brings a new object of the same schema each time. */
function fits(schema: object, value: unknown): boolean {
  const key = JSON.stringify(schema);
  let validate = validators.get(key);
  if (!validate) {
    const compiled = compileUserSchema(schema);
    validate = compiled.ok ? (given) => compiled.validate(given).length === 0 : () => true; // what the tool's owner wrote so is the owner's to judge
    if (validators.size >= mostValidators) validators.clear();
    validators.set(key, validate);
  }
  return validate(value);
}

/** The message as it was written, since words side by side and identifiers count; quotes and minuses of a person are no operators. */
function messageQuery({ input }: Conversation): string {
  const message = String(input.message ?? "").replace(/["“”„]/g, " ");
  return message
    .replace(/(?<=^|\s)-(?=\S)/g, " ")
    .slice(0, mostQueryCharacters)
    .trim();
}

/**
 * Words to search by: those of texts in the input, each once, in the order in which they stand. Where the input asks nothing, those of records that were looked up,
 * then what the output asks for. Names of fields are none.
 */
function queryOf({ input, found }: Conversation, topic: string): string {
  const records = Object.fromEntries(found.map(({ tool, data }) => [tool, data]));
  const texts = leavesOf({ input, records }).filter(({ value }) => typeof value === "string" && /\S\s+\S/.test(value));
  const asked = texts.filter(({ from }) => from === "input").map(({ value }) => String(value));
  const words = new Set<string>();
  for (const text of asked.length > 0 ? asked : [...texts.map(({ value }) => String(value)), topic]) {
    for (const word of wordsOf(text)) if (word.length > 2 && words.size < mostQueryWords) words.add(word);
  }
  return [...words].join(" ").slice(0, mostQueryCharacters).trim();
}
