import type { ChatEvent, ChatEventData, Message, Part, Turn } from "../../features/chat/schemas.ts";

type PartOf<T extends Part["type"]> = Extract<Part, { readonly type: T }>;

/** What becomes of a reply, in the order in which a client can receive it. `index` is the part's place in the message. */
export type ReplyStep =
  | { readonly kind: "began"; readonly message: Message }
  | { readonly kind: "text_started"; readonly index: number }
  | { readonly kind: "text"; readonly index: number; readonly text: string }
  | { readonly kind: "text_ended"; readonly index: number; readonly text: string }
  | { readonly kind: "tool_call"; readonly index: number; readonly part: PartOf<"tool_call"> }
  /** The call is completed, failed or cancelled. */
  | { readonly kind: "tool_result"; readonly index: number; readonly part: PartOf<"tool_call"> }
  | { readonly kind: "citation"; readonly index: number; readonly part: PartOf<"citation"> }
  | { readonly kind: "file"; readonly index: number; readonly part: PartOf<"file"> }
  /** Again whenever its state changes. */
  | { readonly kind: "approval"; readonly index: number; readonly part: PartOf<"approval"> }
  /** Below 0: it stands before the reply, such as the disclosure that an agent answers. */
  | { readonly kind: "notice"; readonly index: number; readonly part: PartOf<"notice"> }
  /** Parts from this place on no longer count: the model answers again. */
  | { readonly kind: "taken_back"; readonly index: number }
  /** Nothing happened for a while; the connection is alive. */
  | { readonly kind: "ping" }
  /** The turn is over, or waits for people. `message`: the reply as it stands; null: there is none. */
  | { readonly kind: "ended"; readonly turn: Turn; readonly message: Message | null };

interface Told {
  part: Part;
  /** Of a text: whether it was said to be whole. */
  ended: boolean;
}

const waiting: readonly Turn["state"][] = ["queued", "running"];
const forPeople: readonly Turn["state"][] = ["awaiting_approval", "input_required"];
const unfinished: readonly Message["status"][] = ["queued", "streaming"];

/**
 * Follows the reply of one turn through the events of its conversation. Tells each part once, however the events carry it: in pieces, whole, or both; and what
 * a stored message has beyond its pieces.
 */
export class ReplyTracker {
  readonly #turn: string;
  #messageId: string | null;
  #message: Message | null = null;
  #ending: Turn | null = null;
  #ended = false;
  readonly #told: Told[] = [];
  /** What the user sees before the reply begins. */
  readonly #before: PartOf<"notice">[] = [];

  constructor(turn: string, reply: string | null) {
    this.#turn = turn;
    this.#messageId = reply;
  }

  /** The turn has ended, though its message was not seen to. */
  get isEnding(): boolean {
    return this.#ending !== null && !this.#ended;
  }

  take(event: Pick<ChatEvent, "type" | "data">): ReplyStep[] {
    if (this.#ended) return [];
    const steps = [...this.#stepsOf(event)];
    if (this.#ending && !this.#lacksMessage(this.#ending)) steps.push(...this.end());
    return steps;
  }

  /** Ends the reply as far as it is known. */
  end(): ReplyStep[] {
    if (this.#ended || !this.#ending) return [];
    this.#ended = true;
    return [...this.#endTexts(), { kind: "ended", turn: this.#ending, message: this.#message }];
  }

  /** Whether the message that belongs to this end is still to come: of a turn that waits, the one that says for what. */
  #lacksMessage({ state }: Turn): boolean {
    if (this.#messageId === null) return forPeople.includes(state);
    return unfinished.includes(this.#message?.status ?? "queued");
  }

  *#stepsOf({ type, data }: Pick<ChatEvent, "type" | "data">): Generator<ReplyStep> {
    const of = <T extends ChatEvent["type"]>(_type: T): ChatEventData[T] => data as unknown as ChatEventData[T];
    switch (type) {
      case "chat.turn.changed":
        return this.#changeTurn(of(type).turn);
      case "chat.message.created":
      case "chat.message.changed":
      case "chat.message.completed":
        return yield* this.#takeMessage(of(type).message);
      case "chat.part.started":
      case "chat.part.completed": {
        const { message_id, index, part } = of(type);
        if (message_id !== this.#messageId) return;
        yield* this.#takePart(index, part);
        if (type === "chat.part.completed") yield* this.#endText(index);
        return;
      }
      case "chat.part.delta": {
        const { message_id, index, text } = of(type);
        if (message_id === this.#messageId)
          yield* this.#takePart(index, { type: "text", text: this.#textAt(index) + text });
        return;
      }
    }
  }

  #changeTurn(turn: Turn): void {
    if (turn.turn_id !== this.#turn) return;
    this.#messageId ??= turn.reply_id;
    this.#ending = waiting.includes(turn.state) ? null : turn;
  }

  *#takeMessage(message: Message): Generator<ReplyStep> {
    if (message.role === "system" && this.#message === null) this.#before.push(...message.parts.filter(isDisclosure));
    if (message.role !== "agent" || (message.turn_id !== this.#turn && message.message_id !== this.#messageId)) return;
    this.#messageId ??= message.message_id;
    if (message.message_id !== this.#messageId) return;
    if (this.#message === null) {
      yield { kind: "began", message };
      yield* this.#before.map((part): ReplyStep => ({ kind: "notice", index: -1, part }));
    }
    this.#message = message;
    if (message.parts.length < this.#told.length) yield this.#takeBack(message.parts.length);
    for (const [index, part] of message.parts.entries()) yield* this.#takePart(index, part);
    if (!unfinished.includes(message.status)) yield* this.#endTexts();
  }

  *#takePart(index: number, part: Part): Generator<ReplyStep> {
    const told = this.#told[index];
    if (told && !isContinued(told.part, part)) yield this.#takeBack(index);
    const before = this.#told[index]?.part;
    if (!before) yield* this.#endTexts();
    if (part.type === "text") return yield* this.#takeText(index, part.text);
    this.#told[index] = { part, ended: true };
    yield* stepsOfPart(index, part, before);
  }

  *#takeText(index: number, text: string): Generator<ReplyStep> {
    const before = this.#told[index];
    const more = text.slice(this.#textAt(index).length);
    if (before && more === "") return;
    if (!before || before.ended) yield { kind: "text_started", index };
    this.#told[index] = { part: { type: "text", text }, ended: false };
    if (more !== "") yield { kind: "text", index, text: more };
  }

  *#endTexts(): Generator<ReplyStep> {
    for (const index of this.#told.keys()) yield* this.#endText(index);
  }

  *#endText(index: number): Generator<ReplyStep> {
    const told = this.#told[index];
    if (!told || told.ended || told.part.type !== "text") return;
    told.ended = true;
    yield { kind: "text_ended", index, text: told.part.text };
  }

  #textAt(index: number): string {
    const part = this.#told[index]?.part;
    return part?.type === "text" ? part.text : "";
  }

  #takeBack(index: number): ReplyStep {
    this.#told.length = index;
    return { kind: "taken_back", index };
  }
}

const isDisclosure = (part: Part): part is PartOf<"notice"> => part.type === "notice" && part.code === "disclosure";

/** Whether a part as it is now can follow the same part as it was sent. */
function isContinued(told: Part, now: Part): boolean {
  if (told.type === "text") return now.type === "text" && now.text.startsWith(told.text);
  if (told.type === "tool_call") return now.type === "tool_call" && now.call_id === told.call_id;
  if (told.type === "approval") return now.type === "approval" && now.approval_id === told.approval_id;
  return told.type === now.type;
}

const isOver = ({ state }: PartOf<"tool_call">): boolean => state !== "running" && state !== "waiting";

function* stepsOfPart(index: number, part: Exclude<Part, { type: "text" }>, before?: Part): Generator<ReplyStep> {
  switch (part.type) {
    case "tool_call":
      if (!before) yield { kind: "tool_call", index, part };
      if (isOver(part) && !(before?.type === "tool_call" && isOver(before))) yield { kind: "tool_result", index, part };
      return;
    case "approval":
      if (before?.type !== "approval" || before.state !== part.state) yield { kind: "approval", index, part };
      return;
    case "citation":
      if (!before) yield { kind: "citation", index, part };
      return;
    case "file":
      if (!before) yield { kind: "file", index, part };
      return;
    case "notice":
      if (!before) yield { kind: "notice", index, part };
  }
}
