import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { Failure } from "./port.ts";
import { orAborted } from "./signals.ts";
import type { AnswerPart } from "./transcript.ts";

/** Tokens that a turn used, as far as the model reports: `input` counts cached ones too. */
export interface TurnTokens {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** One turn of a model, whole. */
export interface Turn {
  readonly parts: readonly AnswerPart[];
  readonly finish: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "interrupted" | "other";
  readonly tokens: TurnTokens;
  /** What the built-in model says of its answer, by field; null: another model, or nothing. */
  readonly notes: Readonly<Record<string, unknown>> | null;
  /** In a conversation its text as it was let out; null: it has none. */
  readonly told?: string | null;
  /** Its text ends before a stop text: what came behind does not count. */
  readonly stopped?: true;
}

/**
 * Asks a model and reads its stream to the end. An abort ends the wait at once, whether or not the model heeds it, and its reason is thrown; what the model
 * or its provider throws is thrown as it is. `told` hears each piece of text as it comes, `seen` each
 * piece of the stream.
 */
export async function takeTurn(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
  told: (text: string) => void = () => undefined,
  seen: (part: LanguageModelV4StreamPart) => void = () => undefined,
): Promise<Turn> {
  const { stream } = await orAborted(signal, Promise.resolve(model.doStream({ ...options, abortSignal: signal })));
  const reader = stream.getReader();
  const turn = new Collected();
  try {
    for (;;) {
      const { done, value } = await orAborted(signal, reader.read());
      if (done) return turn.whole();
      seen(value);
      turn.take(value);
      if (value.type === "text-delta") told(value.delta);
    }
  } finally {
    // A stream that was read to its end takes this too; one that is left ends what feeds it.
    void reader.cancel().catch(() => undefined);
  }
}

/** Puts the pieces of a stream together. */
class Collected {
  readonly #parts: AnswerPart[] = [];
  /** Where the text and reasoning blocks that are being written stand among the parts, by their ids. */
  readonly #open = new Map<string, number>();
  #finish: Turn["finish"] = "interrupted";
  #usage: LanguageModelV4Usage | undefined;
  #notes: Turn["notes"] = null;

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#open.set(
          part.id,
          this.#parts.push({ type: part.type === "text-start" ? "text" : "reasoning", text: "", ...signed(part) }) - 1,
        );
        break;
      case "text-delta":
      case "reasoning-delta":
        this.#amend(part.id, part.delta, part);
        break;
      case "text-end":
      case "reasoning-end":
        this.#amend(part.id, "", part);
        break;
      case "tool-call":
        if (part.providerExecuted) break;
        this.#parts.push({
          type: "tool-call",
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: part.input,
          ...signed(part),
        });
        break;
      case "finish":
        this.#finish = part.finishReason.unified;
        this.#usage = part.usage;
        break;
      case "error":
        throw part.error;
    }
    if ("providerMetadata" in part) this.#notes = part.providerMetadata?.builtin ?? this.#notes;
  }

  #amend(id: string, delta: string, part: Parameters<typeof signed>[0]): void {
    const at = this.#open.get(id);
    const before = at === undefined ? undefined : this.#parts[at];
    if (at === undefined || before === undefined || before.type === "tool-call") return;
    this.#parts[at] = { ...before, text: before.text + delta, ...signed(part) };
  }

  whole(): Turn {
    const parts = this.#parts.filter(
      (part) => part.type === "tool-call" || part.text !== "" || part.providerMetadata !== undefined,
    );
    return { parts, finish: this.#finish, tokens: tokensIn(this.#usage), notes: this.#notes };
  }
}

/** Tokens of a turn by what was reported of it. */
export function tokensIn({ inputTokens, outputTokens }: Partial<LanguageModelV4Usage> = {}): TurnTokens {
  return {
    input: countOf(inputTokens?.total),
    cached: countOf(inputTokens?.cacheRead),
    cacheWrite: countOf(inputTokens?.cacheWrite),
    output: countOf(outputTokens?.total),
  };
}

/** Tokens as a model reports them. Servers say anything: less than none, parts of one, more than there can be. */
function countOf(tokens: number | undefined): number {
  return tokens !== undefined && tokens > 0 ? Math.min(Math.ceil(tokens), mostTokens) : 0;
}

/** Tokens of one turn at most, as far as anybody could believe it. */
const mostTokens = 1e9;

/** What a provider wants back with a piece. What the built-in model says of its answer is no such thing: it stands with the turn. */
function signed({
  providerMetadata,
}: {
  readonly providerMetadata?: AnswerPart["providerMetadata"];
}): Pick<AnswerPart, "providerMetadata"> {
  if (providerMetadata === undefined) return {};
  const { builtin: _notes, ...rest } = providerMetadata;
  return Object.keys(rest).length === 0 ? {} : { providerMetadata: rest };
}

/** Why a model did not answer, where it says so in words for people; undefined: a fault of ours. */
export function modelFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as Error & { readonly code?: unknown };
  return typeof code === "string" && code.startsWith("provider_") ? { code, detail: error.message } : undefined;
}
