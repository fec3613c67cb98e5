import type { Message, Turn } from "../../../features/chat/schemas.ts";
import type { ReplyStep } from "../reply-steps.ts";
import {
  type CallForCaller,
  callsForCaller,
  closingText,
  failureOf,
  refusalOf,
  textOfReply,
  urlCitations,
} from "../said.ts";
import { callIdOf } from "./call-id.ts";
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

function finishOf(ended: Ended): "stop" | "content_filter" | "tool_calls" {
  if (callsForCaller(ended).length > 0) return "tool_calls";
  return ended.turn.state === "blocked" ? "content_filter" : "stop";
}

/** A call as the client is to make it. */
const callOf = (conversation: string, { turn_id }: Turn, { call_id, tool, arguments: given }: CallForCaller) => ({
  id: callIdOf(conversation, turn_id, call_id),
  type: "function",
  function: { name: tool, arguments: JSON.stringify(given ?? {}) },
});

/** What a failed reply is sent as. One that fits no format is a refusal, which clients know. */
export function failureError(ended: Ended): { readonly error: object } | null {
  const failure = refusalOf(ended) === null ? failureOf(ended) : null;
  return failure && { error: { message: failure.detail, type: "server_error", param: null, code: failure.code } };
}

/** A whole completion. */
export function completionOf(
  { conversation, ...head }: CompletionHead & { readonly conversation: string },
  ended: Ended,
  usage: Usage | null,
  metadata: object,
): object {
  const text = textOfReply(ended.message);
  const content = [text, closingText(ended)].filter((said) => said !== null && said !== "").join("\n\n");
  const annotations = annotationsOf(ended.message);
  const calls = callsForCaller(ended).map((call) => callOf(conversation, ended.turn, call));
  const refusal = refusalOf(ended);
  const said = refusal !== null || (calls.length > 0 && content === "") ? null : content;
  const message = {
    role: "assistant",
    content: said,
    refusal,
    annotations,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(ended) }],
    ...(usage && { usage: completionUsage(usage) }),
    metadata,
  };
}

const annotationsOf = (message: Message | null): object[] =>
  urlCitations(message).map((url_citation) => ({ type: "url_citation", url_citation }));

export const completionUsage = ({ input, output, total }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: total,
});

/** Turns the steps of a reply into the chunks of a completion. What was sent cannot be taken back: a new attempt follows as a new paragraph. */
export class CompletionChunks {
  readonly #head: CompletionHead;
  readonly #conversation: string;
  /** Whether chunks say that usage comes at the end. */
  readonly #usage: boolean;
  #said = false;
  #separates = false;

  constructor(head: CompletionHead, conversation: string, usage: boolean) {
    this.#head = head;
    this.#conversation = conversation;
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
    const refusal = refusalOf(ended);
    if (refusal !== null) return [this.#chunk({ refusal }, null), this.#chunk({}, "stop")];
    const closing = closingText(ended);
    this.#separates = this.#said;
    const annotations = annotationsOf(ended.message);
    return [
      ...(closing === null ? [] : [this.#text(closing)]),
      ...callsForCaller(ended).flatMap((call, index) =>
        this.#call(index, callOf(this.#conversation, ended.turn, call)),
      ),
      ...(annotations.length === 0 ? [] : [this.#chunk({ annotations }, null)]),
      this.#chunk({}, finishOf(ended)),
    ];
  }

  /** A call: its name first, then its arguments. */
  #call(index: number, { function: { name, arguments: given }, ...call }: ReturnType<typeof callOf>): object[] {
    const begun = { index, ...call, function: { name, arguments: "" } };
    const rest = { index, function: { arguments: given } };
    return [this.#chunk({ tool_calls: [begun] }, null), this.#chunk({ tool_calls: [rest] }, null)];
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
