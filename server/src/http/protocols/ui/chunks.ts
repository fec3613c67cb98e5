import type { Part } from "../../../features/chat/schemas.ts";
import type { ReplyStep } from "../reply-steps.ts";
import { closingText, failureOf } from "../said.ts";

// A reply as the UI message stream of the AI SDK (`x-vercel-ai-ui-message-stream: v1`).

export type UiChunk = { readonly type: string } & Readonly<Record<string, unknown>>;

type Ended = Extract<ReplyStep, { readonly kind: "ended" }>;

/** Finish reasons of the AI SDK by how a turn ended. */
const reasons: Readonly<Record<string, string>> = {
  completed: "stop",
  input_required: "stop",
  blocked: "content-filter",
};

/** Turns the steps of a reply into the chunks of a UI message stream. `known`: the reply's id, where it is known before it begins. */
export class UiChunks {
  readonly #conversation: string;
  readonly #known: string | null;
  #started = false;
  /** What was sent, by part. */
  #told: { readonly index: number; readonly chunk: UiChunk }[] = [];

  constructor(conversation: string, known: string | null) {
    this.#conversation = conversation;
    this.#known = known;
  }

  start(): UiChunk[] {
    return this.#known === null ? [] : this.#begin(this.#known);
  }

  take(step: ReplyStep): UiChunk[] {
    switch (step.kind) {
      case "began":
        return this.#begin(step.message.message_id);
      case "taken_back":
        return this.#takeBack(step.index);
      case "ended":
        return [...this.#begin(step.message?.message_id ?? null), ...this.#end(step)];
      case "ping":
        return [];
      default: {
        const chunks = chunksOf(step);
        for (const chunk of chunks) this.#told.push({ index: step.index, chunk });
        return [...this.#begin(null), ...chunks];
      }
    }
  }

  #begin(messageId: string | null): UiChunk[] {
    if (this.#started) return [];
    this.#started = true;
    const messageMetadata = { conversation_id: this.#conversation };
    return [{ type: "start", ...(messageId === null ? {} : { messageId }), messageMetadata }, { type: "start-step" }];
  }

  /** A step can be taken back as a whole only: what stays is sent again. */
  #takeBack(from: number): UiChunk[] {
    this.#told = this.#told.filter(({ index }) => index < from);
    return [{ type: "reset-step" }, ...this.#told.map(({ chunk }) => chunk)];
  }

  #end({ turn, message, kind }: Ended): UiChunk[] {
    const failure = failureOf({ turn, message });
    if (failure) return [{ type: "error", errorText: failure.detail }];
    const closing = turn.state === "awaiting_approval" ? null : closingText({ turn, message });
    const messageMetadata = {
      conversation_id: this.#conversation,
      task_id: turn.task_id,
      state: turn.state,
      trust_score: message?.trust_score ?? null,
      audit_ref: message?.audit_ref ?? null,
    };
    const finishReason = reasons[turn.state] ?? "other";
    return [
      ...(closing === null ? [] : textChunks(kind, closing)),
      { type: "finish-step" },
      { type: "finish", finishReason, messageMetadata },
    ];
  }
}

const textChunks = (id: string, delta: string): UiChunk[] => [
  ...[
    { type: "text-start", id },
    { type: "text-delta", id, delta },
    { type: "text-end", id },
  ],
];

type PartStep = Exclude<ReplyStep, { readonly kind: "began" | "taken_back" | "ended" | "ping" }>;

/** Tools are the agent's own: the service ran them. */
const own = { dynamic: true, providerExecuted: true };

function chunksOf(step: PartStep): UiChunk[] {
  switch (step.kind) {
    case "text_started":
      return [{ type: "text-start", id: textId(step.index) }];
    case "text":
      return [{ type: "text-delta", id: textId(step.index), delta: step.text }];
    case "text_ended":
      return [{ type: "text-end", id: textId(step.index) }];
    case "tool_call": {
      const { call_id: toolCallId, tool: toolName, arguments: input } = step.part;
      return [{ type: "tool-input-available", toolCallId, toolName, input: input ?? {}, ...own }];
    }
    case "tool_result":
      return [resultOf(step.part)];
    case "citation":
      return [sourceOf(step.index, step.part)];
    case "approval": {
      const { type: _type, ...data } = step.part;
      return [{ type: "data-approval", id: data.approval_id, data }];
    }
    case "notice":
    case "file": {
      const { type, ...data } = step.part;
      return [{ type: `data-${type}`, id: `${type}-${step.index}`, data }];
    }
  }
}

const textId = (index: number): string => `text-${index}`;

function resultOf({ call_id: toolCallId, state, result, failure }: Extract<Part, { type: "tool_call" }>): UiChunk {
  return state === "completed"
    ? { type: "tool-output-available", toolCallId, output: result ?? null, ...own }
    : { type: "tool-output-error", toolCallId, errorText: failure?.detail ?? `The call was ${state}.`, ...own };
}

function sourceOf(index: number, part: Extract<Part, { type: "citation" }>): UiChunk {
  const { type: _type, url, title, ...own } = part;
  const source = {
    sourceId: `source-${index}`,
    title,
    providerMetadata: { aos: own },
  };
  return url === null
    ? { type: "source-document", mediaType: "text/plain", ...source }
    : { type: "source-url", url, ...source };
}
