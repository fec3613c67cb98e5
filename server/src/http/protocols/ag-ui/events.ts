import type { Part } from "../../../features/chat/schemas.ts";
import type { ReplyStep } from "../reply-steps.ts";
import { closingText, failureOf } from "../said.ts";

// A reply as the events of AG-UI.

export type AgUiEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface RunHead {
  readonly threadId: string;
  readonly runId: string;
  readonly conversation: string;
}

type Ended = Extract<ReplyStep, { readonly kind: "ended" }>;

/** Turns the steps of a reply into the events of a run. What was sent cannot be taken back: a new attempt is a message of its own. */
export class RunEvents {
  readonly #head: RunHead;
  #message: string;
  #texts = 0;
  /** The text message that is being sent; null: none. */
  #open: string | null = null;

  constructor(head: RunHead, reply: string | null) {
    this.#head = head;
    this.#message = reply ?? `${head.runId}-reply`;
  }

  start(): AgUiEvent[] {
    const { threadId, runId } = this.#head;
    return [{ type: "RUN_STARTED", threadId, runId }];
  }

  take(step: ReplyStep): AgUiEvent[] {
    switch (step.kind) {
      case "began":
        this.#message = step.message.message_id;
        return [];
      case "text_started":
        return [...this.#close(), ...this.#openText()];
      case "text":
        return this.#open === null ? [] : [{ type: "TEXT_MESSAGE_CONTENT", messageId: this.#open, delta: step.text }];
      case "text_ended":
      case "taken_back":
        return this.#close();
      case "tool_call":
        return [...this.#close(), ...this.#call(step.part)];
      case "tool_result":
        return [resultOf(step.part)];
      case "citation":
      case "approval":
      case "notice":
      case "file": {
        const { type: name, ...value } = step.part;
        return [{ type: "CUSTOM", name, value }];
      }
      case "ended":
        return [...this.#close(), ...this.#end(step)];
      case "ping":
        return [];
    }
  }

  #openText(): AgUiEvent[] {
    const nth = this.#texts++;
    this.#open = nth === 0 ? this.#message : `${this.#message}-${nth}`;
    return [{ type: "TEXT_MESSAGE_START", messageId: this.#open, role: "assistant" }];
  }

  #close(): AgUiEvent[] {
    const messageId = this.#open;
    this.#open = null;
    return messageId === null ? [] : [{ type: "TEXT_MESSAGE_END", messageId }];
  }

  #call({ call_id: toolCallId, tool, arguments: given }: Extract<Part, { type: "tool_call" }>): AgUiEvent[] {
    return [
      { type: "TOOL_CALL_START", toolCallId, toolCallName: tool, parentMessageId: this.#message },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(given ?? {}) },
      { type: "TOOL_CALL_END", toolCallId },
    ];
  }

  #end({ turn, message }: Ended): AgUiEvent[] {
    const failure = failureOf({ turn, message });
    if (failure) return [{ type: "RUN_ERROR", message: failure.detail, code: failure.code }];
    const closing = turn.state === "awaiting_approval" ? null : closingText({ turn, message });
    const { threadId, runId, conversation } = this.#head;
    const result = {
      conversation_id: conversation,
      message_id: message?.message_id ?? null,
      task_id: turn.task_id,
      state: turn.state,
      trust_score: message?.trust_score ?? null,
      audit_ref: message?.audit_ref ?? null,
    };
    return [...(closing === null ? [] : this.#say(closing)), { type: "RUN_FINISHED", threadId, runId, result }];
  }

  #say(delta: string): AgUiEvent[] {
    const started = this.#openText();
    return [...started, { type: "TEXT_MESSAGE_CONTENT", messageId: this.#open, delta }, ...this.#close()];
  }
}

function resultOf({ call_id, state, result, failure }: Extract<Part, { type: "tool_call" }>): AgUiEvent {
  const content = state === "completed" ? result : { error: failure?.detail ?? `The call was ${state}.` };
  return {
    type: "TOOL_CALL_RESULT",
    messageId: `${call_id}-result`,
    toolCallId: call_id,
    role: "tool",
    content: typeof content === "string" ? content : JSON.stringify(content ?? null),
  };
}
