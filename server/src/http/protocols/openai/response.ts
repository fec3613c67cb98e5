import type { Message, Part, Turn } from "../../../features/chat/schemas.ts";
import type { ReplyStep } from "../reply-steps.ts";
import { type CallForCaller, callsForCaller, closingText, failureOf, partsOf, refusalOf } from "../said.ts";
import { callIdOf } from "./call-id.ts";
import type { Usage } from "./usage.ts";

// A reply as POST /v1/responses answers it, whole and in events.

export interface ResponseHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created_at: number;
  readonly model: string;
  readonly conversation: string;
  readonly previous_response_id: string | null;
  readonly background: boolean;
  readonly user: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface TextItem {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  status: "in_progress" | "completed";
  content: { type: "output_text"; text: string; annotations: object[]; logprobs: never[] }[];
}
type CallItem = ReturnType<typeof callItem>;
type FunctionItem = ReturnType<typeof functionItem>;
const unfinished = { queued: true, in_progress: true };
type Ended = { readonly turn: Turn; readonly message: Message | null };

/** The states of a response by those of its turn. What needs approval goes on later, so that it is still in progress. */
const statusOf: Readonly<Record<Turn["state"], string>> = {
  queued: "queued",
  running: "in_progress",
  awaiting_approval: "in_progress",
  input_required: "completed",
  completed: "completed",
  failed: "failed",
  blocked: "incomplete",
  stopped: "cancelled",
};

/** The event with which the stream of a response ends, by its status. */
const lastEvent: Readonly<Record<string, string>> = {
  completed: "response.completed",
  failed: "response.failed",
  incomplete: "response.incomplete",
  cancelled: "response.incomplete",
};

/** Turns the steps of a reply into the events of a response, and gathers the response itself. */
export class ResponseEvents {
  readonly #head: ResponseHead;
  readonly #output: (TextItem | CallItem | FunctionItem)[] = [];
  #sequence = 0;
  #message = "";
  /** Citations that no text stands before yet. */
  #citations: object[] = [];
  #open: TextItem | null = null;
  /** Its place in the message. */
  #openIndex = -1;

  constructor(head: ResponseHead) {
    this.#head = head;
  }

  start(): object[] {
    const response = this.response("in_progress");
    return [this.#event("response.created", { response }), this.#event("response.in_progress", { response })];
  }

  take(step: ReplyStep): object[] {
    switch (step.kind) {
      case "began":
        this.#message = step.message.message_id;
        return [];
      case "text_started":
        return [...this.#close(), ...this.#openText(step.index)];
      case "text":
        return this.#text(step.text);
      case "citation":
        return this.#cite(step.part);
      case "tool_call":
        // What is for the caller stands at the end, once it is handed out.
        return step.part.by === "caller" ? [] : [...this.#close(), ...this.#call(step.part)];
      case "tool_result":
        return this.#result(step.part);
      case "ended":
        return this.#end(step);
      default:
        return [];
    }
  }

  /** Ends the stream; the steps sent the end before. */
  finish(ended: Ended, usage: Usage | null): object {
    const response = this.ended(ended, usage);
    return this.#event(lastEvent[response.status] ?? "response.in_progress", { response });
  }

  ended({ turn, message }: Ended, usage: Usage | null) {
    const refusal = refusalOf({ turn });
    const failure = refusal === null ? failureOf({ turn, message }) : null;
    const asked = partsOf(message, "approval").findLast(({ state }) => state === "pending");
    return {
      ...this.response(refusal === null ? statusOf[turn.state] : "completed", {
        ...(turn.task_id === null ? {} : { task: turn.task_id }),
        ...(asked ? { approval: asked.approval_id, approve_url: asked.approve_url } : {}),
      }),
      error: failure && { code: "server_error", message: failure.detail },
      incomplete_details: turn.state === "blocked" ? { reason: "content_filter" } : null,
      ...(usage && { usage: responseUsage(usage) }),
    };
  }

  response(status: string, told: Readonly<Record<string, string>> = {}) {
    const { conversation, metadata, user, ...head } = this.#head;
    return {
      ...{
        ...head,
        object: "response",
        status,
        error: null as object | null,
        incomplete_details: null as object | null,
      },
      output: structuredClone(this.#output),
      conversation: { id: conversation },
      metadata: { ...metadata, conversation, ...told },
      instructions: null,
      parallel_tool_calls: false,
      tool_choice: "none",
      tools: [],
      temperature: null,
      ...{
        top_p: null,
        text: { format: { type: "text" } },
        truncation: "disabled",
        ...(user === null ? {} : { user }),
      },
    };
  }

  #openText(index: number): object[] {
    const nth = this.#output.length === 0 ? "" : `_${this.#output.length}`;
    const item: TextItem = {
      id: `${this.#message || `msg_${index}`}${nth}`,
      type: "message",
      role: "assistant",
      status: "in_progress",
      content: [],
    };
    this.#open = item;
    this.#openIndex = index;
    this.#output.push(item);
    const added = this.#event("response.output_item.added", { ...this.#place(), item: structuredClone(item) });
    const part = { type: "output_text", text: "", annotations: [] as object[], logprobs: [] as never[] } as const;
    item.content.push({ ...part, annotations: [], logprobs: [] });
    const cited = this.#citations.splice(0).flatMap((annotation) => this.#annotate(item, annotation));
    return [added, this.#event("response.content_part.added", { ...this.#inPart(item), part }), ...cited];
  }

  #text(delta: string): object[] {
    const item = this.#open;
    const part = item?.content[0];
    if (!item || !part) return [];
    part.text += delta;
    return [this.#event("response.output_text.delta", { ...this.#inPart(item), delta, logprobs: [] })];
  }

  #cite({ url, title, document_id, position }: Extract<Part, { type: "citation" }>): object[] {
    const at = this.#open?.content[0]?.text.length ?? 0;
    const isHere = position && position.part === this.#openIndex;
    const [start_index, end_index] = isHere ? [position.start, position.end] : [at, at];
    const annotation =
      url === null
        ? { type: "file_citation", file_id: document_id ?? "", filename: title, index: at }
        : { type: "url_citation", url, title, start_index, end_index };
    if (this.#open) return this.#annotate(this.#open, annotation);
    this.#citations.push(annotation);
    return [];
  }

  #annotate(item: TextItem, annotation: object): object[] {
    const annotations = item.content[0]?.annotations ?? [];
    annotations.push(annotation);
    const place = { ...this.#inPart(item), annotation_index: annotations.length - 1 };
    return [this.#event("response.output_text.annotation.added", { ...place, annotation })];
  }

  #close(): object[] {
    const item = this.#open;
    const part = item?.content[0];
    if (!item || !part) return [];
    const place = this.#inPart(item);
    this.#open = null;
    item.status = "completed";
    return [
      this.#event("response.output_text.done", { ...place, text: part.text, logprobs: [] }),
      this.#event("response.content_part.done", { ...place, part: structuredClone(part) }),
      this.#event("response.output_item.done", { output_index: place.output_index, item: structuredClone(item) }),
    ];
  }

  #call(part: Extract<Part, { type: "tool_call" }>): object[] {
    const item = callItem(this.#head.model, part);
    this.#output.push(item);
    const place = { ...this.#place(), item_id: item.id };
    return [
      this.#event("response.output_item.added", { ...this.#place(), item: structuredClone(item) }),
      this.#event("response.mcp_call_arguments.done", { ...place, arguments: item.arguments }),
      this.#event("response.mcp_call.in_progress", place),
    ];
  }

  #result(part: Extract<Part, { type: "tool_call" }>): object[] {
    const output_index = this.#output.findIndex(({ id }) => id === callItem(this.#head.model, part).id);
    if (output_index < 0) return [];
    const item = callItem(this.#head.model, part);
    this.#output[output_index] = item;
    const state = part.state === "completed" ? "completed" : "failed";
    return [
      this.#event(`response.mcp_call.${state}`, { output_index, item_id: item.id }),
      this.#event("response.output_item.done", { output_index, item: structuredClone(item) }),
    ];
  }

  #end(ended: Ended): object[] {
    const refusal = refusalOf(ended);
    if (refusal !== null) return [...this.#close(), ...this.#refuse(refusal)];
    const calls = callsForCaller(ended);
    if (calls.length > 0) return [...this.#close(), ...calls.flatMap((call) => this.#function(ended.turn, call))];
    const closing = closingText(ended);
    // What waits for people is said by the status and the metadata, so that the text stays the agent's own.
    if (closing === null || statusOf[ended.turn.state] in unfinished) return this.#close();
    return [...this.#close(), ...this.#openText(this.#output.length), ...this.#text(closing), ...this.#close()];
  }

  /** A call that the client makes. */
  #function(turn: Turn, part: CallForCaller): object[] {
    const item = functionItem(callIdOf(this.#head.conversation, turn.turn_id, part.call_id), part);
    this.#output.push(item);
    const place = { ...this.#place(), item_id: item.id };
    const begun = { ...item, arguments: "", status: "in_progress" };
    const given = item.arguments;
    return [
      this.#event("response.output_item.added", { ...this.#place(), item: begun }),
      this.#event("response.function_call_arguments.delta", { ...place, delta: given }),
      this.#event("response.function_call_arguments.done", { ...place, name: item.name, arguments: given }),
      this.#event("response.output_item.done", { ...this.#place(), item: structuredClone(item) }),
    ];
  }

  #refuse(refusal: string): object[] {
    const id = `${this.#message || "msg"}_refusal`;
    const frame = { id, type: "message", role: "assistant" } as const;
    const item = { ...frame, status: "completed" as const, content: [{ type: "refusal", refusal }] };
    this.#output.push(item as unknown as TextItem);
    const place = { ...this.#place(), item_id: id, content_index: 0 };
    const added = { ...frame, status: "in_progress", content: [] };
    return [
      this.#event("response.output_item.added", { ...this.#place(), item: added }),
      this.#event("response.content_part.added", { ...place, part: { type: "refusal", refusal: "" } }),
      this.#event("response.refusal.delta", { ...place, delta: refusal }),
      this.#event("response.refusal.done", { ...place, refusal }),
      this.#event("response.content_part.done", { ...place, part: { type: "refusal", refusal } }),
      this.#event("response.output_item.done", { ...this.#place(), item }),
    ];
  }

  #place = () => ({ output_index: this.#output.length - 1 });
  #inPart = (item: TextItem) => ({ item_id: item.id, output_index: this.#output.indexOf(item), content_index: 0 });

  #event(type: string, members: object): object {
    return { type, sequence_number: this.#sequence++, ...members };
  }
}

/** A tool call of the agent's: the service made it, so that a client has nothing to do. */
const callItem = (agent: string, part: Extract<Part, { type: "tool_call" }>) => ({
  id: `mcp_${part.call_id}`,
  type: "mcp_call" as const,
  server_label: agent,
  name: part.tool,
  arguments: JSON.stringify(part.arguments ?? {}),
  output: part.result === null || part.result === undefined ? null : JSON.stringify(part.result),
  error: part.failure === null ? null : part.failure.detail,
  status: callStatus(part.state),
});

/** A call that the client makes, as OpenAI calls a function. */
const functionItem = (id: string, { tool, arguments: given }: CallForCaller) => ({
  id: `fc_${id.slice("call_".length)}`,
  type: "function_call" as const,
  call_id: id,
  name: tool,
  arguments: JSON.stringify(given ?? {}),
  status: "completed",
});

function callStatus(state: Extract<Part, { type: "tool_call" }>["state"]): string {
  if (state === "completed") return "completed";
  if (state === "running" || state === "waiting") return "in_progress";
  return state === "cancelled" ? "incomplete" : "failed";
}

const responseUsage = ({ input, output, total }: Usage) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: total,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
});
