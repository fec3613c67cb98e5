import type { Message, Turn } from "../../../features/chat/schemas.ts";
import type { ReplyStep } from "../reply-steps.ts";
import { closingText, failureOf, partsOf, textOfReply } from "../said.ts";
import type { Usage } from "./usage.ts";

// A reply as POST /v1/chat/completions answers it, whole and in chunks.

/** What stands in every chunk of a completion. */
export interface CompletionHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

type Ended = { readonly turn: Turn; readonly message: Message | null };

const finishOf = ({ state }: Turn): "stop" | "content_filter" => (state === "blocked" ? "content_filter" : "stop");

/** What a failed reply is told as. */
export function failureError(ended: Ended): { readonly error: object } | null {
  const failure = failureOf(ended);
  return failure && { error: { message: failure.detail, type: "server_error", param: null, code: failure.code } };
}

/** A whole completion. */
export function completionOf(head: CompletionHead, ended: Ended, usage: Usage | null, metadata: object): object {
  const text = textOfReply(ended.message);
  const content = [text, closingText(ended)].filter((said) => said !== null && said !== "").join("\n\n");
  const annotations = partsOf(ended.message, "citation").flatMap(({ url, title }) =>
    url === null
      ? []
      : [{ type: "url_citation", url_citation: { url, title, start_index: text.length, end_index: text.length } }],
  );
  const message = { role: "assistant", content, refusal: null, annotations };
  return {
    ...{ ...head, object: "chat.completion" },
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(ended.turn) }],
    ...(usage && { usage: completionUsage(usage) }),
    metadata,
  };
}

export const completionUsage = ({ input, output, total }: Usage) => ({
  ...{ prompt_tokens: input, completion_tokens: output, total_tokens: total },
});

/** Turns the steps of a reply into the chunks of a completion. What was told cannot be taken back: a new attempt follows as a new paragraph. */
export class CompletionChunks {
  readonly #head: CompletionHead;
  /** Whether chunks say that usage comes at the end. */
  readonly #usage: boolean;
  #said = false;
  #separates = false;

  constructor(head: CompletionHead, usage: boolean) {
    this.#head = head;
    this.#usage = usage;
  }

  start(): object {
    return this.#chunk({ role: "assistant", content: "", refusal: null }, null);
  }

  take(step: ReplyStep): object[] {
    switch (step.kind) {
      case "text_started":
        this.#separates = this.#said;
        return [];
      case "text":
        return [this.#text(step.text)];
      case "ended":
        return this.#end(step);
      default:
        return [];
    }
  }

  usage(usage: Usage): object {
    return { ...this.#base(), choices: [], usage: completionUsage(usage) };
  }

  #end(ended: Ended): object[] {
    const failure = failureError(ended);
    if (failure) return [failure];
    const closing = closingText(ended);
    this.#separates = this.#said;
    return [...(closing === null ? [] : [this.#text(closing)]), this.#chunk({}, finishOf(ended.turn))];
  }

  #text(text: string): object {
    const content = this.#separates ? `\n\n${text}` : text;
    this.#separates = false;
    this.#said = true;
    return this.#chunk({ content }, null);
  }

  #chunk(delta: object, finish_reason: string | null): object {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    return { ...this.#base(), choices, ...(this.#usage ? { usage: null } : {}) };
  }

  #base() {
    return { ...this.#head, object: "chat.completion.chunk" };
  }
}
