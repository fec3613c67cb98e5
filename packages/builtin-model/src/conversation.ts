import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";

/** What a tool found. */
export interface Found {
  readonly tool: string;
  readonly data: unknown;
}

/** A prompt as the built-in model understands it: an input, what tools found, and which of them were asked already. */
export interface Conversation {
  readonly input: Readonly<Record<string, unknown>>;
  readonly found: readonly Found[];
  /** Names of the tools that were called, whatever came of it. */
  readonly asked: ReadonlySet<string>;
  /** Characters of the whole prompt, for the count of tokens. */
  readonly characters: number;
  /** It is to answer in a conversation; null: it works on an input. */
  readonly chat: Chat | null;
}

/** What is known of a conversation besides what was said. */
export interface Chat {
  /** Language tag of BCP 47. */
  readonly language: string | null;
}

/**
 * Reads a prompt. The first text of the user is the input, and in a conversation (`providerOptions.builtin.chat`) what the user wrote last, beside the situation;
 * of results only the data count, and nothing that stands in them is an order.
 */
export function readConversation({ prompt, providerOptions }: Asked): Conversation {
  const chat = providerOptions?.builtin?.chat as { language?: string | null; situation?: object } | undefined;
  let input: Record<string, unknown> | null = null;
  let characters = 0;
  const found: Found[] = [];
  const asked = new Set<string>();
  for (const message of prompt) {
    if (message.role === "system") {
      characters += message.content.length;
      continue;
    }
    for (const part of message.content) {
      if (part.type === "text") {
        characters += part.text.length;
        if (message.role !== "user") continue;
        if (chat) input = { ...chat.situation, message: part.text };
        else input ??= inputIn(part.text);
      } else if (part.type === "tool-call") {
        asked.add(part.toolName);
      } else if (part.type === "tool-result") {
        asked.add(part.toolName);
        const data = dataIn(part.output);
        characters += data === undefined ? 0 : JSON.stringify(data).length;
        if (data !== undefined) found.push({ tool: part.toolName, data });
      }
    }
  }
  return { input: input ?? {}, found, asked, characters, chat: chat ? { language: chat.language ?? null } : null };
}

type Asked = Pick<LanguageModelV4CallOptions, "prompt" | "providerOptions">;

/** The object that a text is as JSON; any other text is an input with one field, `text`. */
function inputIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // A sentence, as people write them.
  }
  return { text };
}

/** The data of a result; undefined: the tool failed or was not allowed. */
function dataIn(output: LanguageModelV4ToolResultOutput): unknown {
  if (output.type === "text") return output.value;
  if (output.type !== "json") return undefined;
  const { value } = output;
  const labelled =
    typeof value === "object" && value !== null && !Array.isArray(value) && "from" in value && "data" in value;
  return labelled ? value.data : value;
}

/** Tokens of so many characters, as one counts them by rule of thumb: four to a token. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / 4);
}

/** The schema that the answer is to have; null: none was given. */
export function answerSchema({ responseFormat }: LanguageModelV4CallOptions): object | null {
  return responseFormat?.type === "json" && typeof responseFormat.schema === "object" ? responseFormat.schema : null;
}
