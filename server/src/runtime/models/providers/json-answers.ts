import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ProviderName } from "./definition.ts";

// How an answer as JSON is asked for. Providers differ in what they can promise, and some promise it at the price of tool calls.

/**
 * The options by which a provider is asked. OpenAI keeps to a schema strictly only where the schema is of the strict kind, and refuses any other that is
 * said to be; nothing that it is sent stays stored there. A server that speaks OpenAI's interface is asked for a schema only where no tools are offered:
 * Ollama and vLLM force the whole answer into the schema's grammar, so that the model could not call a tool any more (vllm-project/vllm#39929,
 * ollama/ollama#13750). There, and for servers that know no schemas (`native` false), the schema stands in the instructions instead.
 */
export function askForJson(
  provider: ProviderName,
  options: LanguageModelV4CallOptions,
  native: boolean,
): LanguageModelV4CallOptions {
  const schema = options.responseFormat?.type === "json" ? options.responseFormat.schema : undefined;
  if (provider === "openai") {
    const tools = options.tools?.map((tool) =>
      tool.type === "function" ? { ...tool, strict: isStrict(tool.inputSchema) } : tool,
    );
    const own = { store: false, ...(schema && { strictJsonSchema: isStrict(schema) }) };
    return { ...options, ...(tools && { tools }), providerOptions: withOwn(options.providerOptions, "openai", own) };
  }
  if (provider !== "openai-compatible" || !schema) return options;
  if (!native || (options.tools?.length ?? 0) > 0) {
    const { responseFormat: _inWords, ...rest } = options;
    return { ...rest, prompt: withInstruction(options.prompt, schema) };
  }
  return {
    ...options,
    providerOptions: withOwn(options.providerOptions, "openaiCompatible", { strictJsonSchema: isStrict(schema) }),
  };
}

function withOwn(
  given: SharedV4ProviderOptions | undefined,
  name: string,
  own: Record<string, boolean>,
): SharedV4ProviderOptions {
  return { ...given, [name]: { ...own, ...given?.[name] } };
}

function withInstruction(prompt: LanguageModelV4Prompt, schema: JSONSchema7): LanguageModelV4Prompt {
  const instruction = `When you give your final answer, give one JSON value that fits this JSON Schema, and nothing before or after it:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = prompt;
  if (first?.role === "system") return [{ ...first, content: `${first.content}\n\n${instruction}` }, ...rest];
  return [{ role: "system", content: instruction }, ...prompt];
}

/** Keywords of the strict kind of schema (developers.openai.com, "Structured outputs", supported schemas). */
const strictKeywords: ReadonlySet<string> = new Set([
  ...[
    "type",
    "enum",
    "const",
    "title",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "$ref",
    "$defs",
  ],
  ...[
    "pattern",
    "format",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "minItems",
    "maxItems",
  ],
]);

/** Whether a schema is of the kind that OpenAI can keep to: closed objects all of whose members are required, and none but the known keywords. */
export function isStrict(schema: unknown): boolean {
  return isObject(schema) && schema.type === "object" && strictPart(schema);
}

function strictPart(schema: unknown): boolean {
  if (!isObject(schema) || Object.keys(schema).some((keyword) => !strictKeywords.has(keyword))) return false;
  const { properties, required, items, anyOf, $defs } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const isClosed =
    schema.additionalProperties === false && Array.isArray(required) && names.every((name) => required.includes(name));
  if ((schema.type === "object" || properties !== undefined) && !isClosed) return false;
  const inner = [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(isObject($defs) ? Object.values($defs) : []),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
  ];
  return inner.every(strictPart);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
