import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

// Models that say what a test wants them to.

/** What a scripted model does in one turn: answers, calls tools, or something that the test does itself. */
export type ScriptedTurn =
  | { readonly text: string }
  | { readonly calls: readonly { readonly tool: string; readonly input: unknown }[] }
  | { readonly stream: ReadableStream<LanguageModelV4StreamPart> };

export interface ScriptOptions {
  /** Called with what each turn was asked with. */
  readonly seen?: (options: LanguageModelV4CallOptions, turn: number) => void;
  /** Tokens of each turn: 10 in and 5 out by default. */
  readonly tokens?: { readonly input: number; readonly output: number };
  /** What the model says of each of its answers. */
  readonly notes?: Record<string, number>;
}

/**
 * A model whose turn n is what `script` says of the n-th message that it is to follow: it is told how many tool results and repairs came before, so that it
 * says the same in a run that goes on elsewhere.
 */
export function scriptedModel(
  script: (turn: number, options: LanguageModelV4CallOptions) => ScriptedTurn | Promise<ScriptedTurn>,
  options: ScriptOptions = {},
): LanguageModelV4 {
  const doStream: LanguageModelV4["doStream"] = async (given) => {
    const turn = given.prompt.filter(({ role }) => role === "assistant").length + 1;
    options.seen?.(given, turn);
    const said = await script(turn, given);
    if ("stream" in said) return { stream: said.stream };
    const parts = partsOf(said, turn, options);
    return {
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
    };
  };
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doStream,
    doGenerate: () => Promise.reject(new Error("the loop streams")),
  };
}

function partsOf(
  said: Exclude<ScriptedTurn, { stream: unknown }>,
  turn: number,
  { tokens, notes }: ScriptOptions,
): LanguageModelV4StreamPart[] {
  const content: LanguageModelV4StreamPart[] =
    "text" in said
      ? [
          { type: "text-start", id: "1" },
          ...[...said.text].map((delta) => ({ type: "text-delta", id: "1", delta }) as const),
          { type: "text-end", id: "1" },
        ]
      : said.calls.map(({ tool, input }, at) => ({
          type: "tool-call",
          toolCallId: `call_${turn}_${at}`,
          toolName: tool,
          input: JSON.stringify(input),
        }));
  const { input, output } = tokens ?? { input: 10, output: 5 };
  return [
    { type: "stream-start", warnings: [] },
    ...content,
    {
      type: "finish",
      finishReason: { unified: "text" in said ? "stop" : "tool-calls", raw: undefined },
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
      ...(notes ? { providerMetadata: { builtin: notes } } : {}),
    },
  ];
}

/** The results of tools that a model was shown, by their tools' names, the latest of each. */
export function shownResults({ prompt }: LanguageModelV4CallOptions): Record<string, unknown> {
  const results: Record<string, unknown> = {};
  for (const message of prompt) {
    if (message.role !== "tool") continue;
    for (const part of message.content)
      if (part.type === "tool-result" && "value" in part.output) results[part.toolName] = part.output.value;
  }
  return results;
}

/** Looks the record up that the input names and answers with what it found, as the built-in model would for a skill without examples. */
export function lookingUp(options: ScriptOptions = {}): LanguageModelV4 {
  return scriptedModel((_turn, given) => {
    const tool = given.tools?.find((one) => one.type === "function" && one.inputSchema.required?.length === 1);
    const [field] = tool?.type === "function" ? (tool.inputSchema.required ?? []) : [];
    const user = given.prompt.find(({ role }) => role === "user");
    const part = Array.isArray(user?.content) ? (user.content[0] as LanguageModelV4Content) : undefined;
    const input = part?.type === "text" ? (JSON.parse(part.text) as Record<string, unknown>) : {};
    const results = shownResults(given);
    if (tool && field !== undefined && typeof input[field] === "string" && !(tool.name in results)) {
      return { calls: [{ tool: tool.name, input: { [field]: input[field] } }] };
    }
    return { text: JSON.stringify({ reason: JSON.stringify(results) }) };
  }, options);
}
