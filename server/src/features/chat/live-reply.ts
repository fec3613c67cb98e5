import { isDeepStrictEqual } from "node:util";
import type { Tell, Telling, Told } from "../../kernel/chat-turn.ts";
import type { NewChatEvent } from "./event-store.ts";
import { ReplyFilter } from "./reply-filter.ts";
import { hostsFound } from "./reply-hosts.ts";
import type { Message, Part } from "./schemas.ts";

type CallPart = Extract<Part, { type: "tool_call" }>;
type Failure = { readonly code: string; readonly detail: string };

/** What is written of a reply, with what followers hear of it. */
export interface Written {
  readonly parts: readonly Part[];
  readonly steps: readonly (number | null)[];
  readonly events: readonly NewChatEvent[];
}

export interface LiveReplyParts {
  readonly id: string;
  /** What an earlier part of the run wrote. */
  readonly parts: readonly Part[];
  readonly steps: readonly (number | null)[] | null;
  /** Hosts that the reply may link to; those of documents that are found are added. */
  readonly hosts: Set<string>;
  readonly restore: (text: string) => string;
  /** Whether policies have to see the text of a step whole. */
  readonly holds: () => boolean;
  readonly judge: (text: string) => Promise<{ readonly text: string } | { readonly failure: Failure }>;
  /** False: the lease is lost. */
  readonly store: (written: Written) => Promise<boolean>;
  /** The message while it is written, with these parts. */
  readonly view: (parts: readonly Part[]) => Message;
  /** Whether it waited until now. */
  readonly waited: boolean;
}

/** Characters of a result of a tool that a reply shows. */
const mostShown = 20_000;

/** Writes a reply while its run goes on. Nothing of a text leaves that filter and policies have not seen; what is told of a step twice stands once. */
export class LiveReply {
  readonly #given: LiveReplyParts;
  #parts: Part[];
  #steps: (number | null)[];
  #events: NewChatEvent[] = [];
  #filter: ReplyFilter;
  /** What followers hear first where it waited. */
  #goesOn: NewChatEvent | null;
  /** Place of the text that is being written; null: none is. */
  #open: number | null = null;
  /** The text of the step that policies have not judged; null: they do not have to. */
  #unjudged: string | null = null;

  constructor(given: LiveReplyParts) {
    this.#given = given;
    this.#parts = [...given.parts];
    this.#steps = given.parts.map((_part, at) => given.steps?.[at] ?? null);
    this.#filter = new ReplyFilter(given);
    this.#goesOn = given.waited ? this.#changed() : null;
  }

  readonly tell: Tell = async (told): Promise<Telling> => {
    let text: string | null = null;
    for (const one of told) {
      if (one.kind === "end") {
        const ended = await this.#end(one.step);
        if ("failure" in ended) return { kind: "blocked", failure: ended.failure };
        text = ended.text;
      } else this.#take(one);
    }
    const events = this.#events.splice(0);
    if (events.length === 0) return { kind: "told", text };
    if (this.#goesOn) events.unshift(this.#goesOn);
    this.#goesOn = null;
    const stored = await this.#given.store({ parts: this.#parts, steps: this.#steps, events });
    return stored ? { kind: "told", text } : { kind: "lost" };
  };

  #take(told: Exclude<Told, { kind: "end" }>): void {
    const { step } = told;
    if (told.kind === "begin") this.#begin(step);
    if (told.kind === "text") this.#hear(step, this.#filter.take(told.text));
    if (told.kind === "call") this.#call(step, told.tool, told.arguments);
    if (told.kind === "failed")
      this.#called(step, { state: "failed", result: null, failure: this.#restored(told.failure) });
    if (told.kind !== "answered") return;
    for (const host of hostsFound(told.data)) this.#given.hosts.add(host);
    this.#called(step, { state: "completed", result: shown(this.#restored(told.data)), failure: null });
  }

  #hear(step: number, text: string): void {
    if (this.#unjudged === null) this.#write(step, text);
    else this.#unjudged += text;
  }

  /** What was told of the step before, and of later ones, is taken back. */
  #begin(step: number): void {
    const stays = this.#parts.map((_part, at) => (this.#steps[at] ?? 0) < step);
    if (stays.includes(false)) {
      this.#parts = this.#parts.filter((_part, at) => stays[at]);
      this.#steps = this.#steps.filter((_step, at) => stays[at]);
      this.#events.push(this.#changed());
    }
    this.#filter = new ReplyFilter(this.#given);
    this.#open = null;
    this.#unjudged = this.#given.holds() ? "" : null;
  }

  async #end(step: number): Promise<{ readonly text: string | null } | { readonly failure: Failure }> {
    const rest = this.#filter.end();
    if (this.#unjudged === null) this.#write(step, rest);
    else if (this.#unjudged + rest !== "") {
      const judged = await this.#given.judge(this.#unjudged + rest);
      if ("failure" in judged) return judged;
      this.#write(step, judged.text);
    }
    const at = this.#open;
    this.#open = null;
    if (at === null) return { text: null };
    const part = this.#parts[at] as Extract<Part, { type: "text" }>;
    this.#events.push({ type: "chat.part.completed", data: { ...this.#at(at), part } });
    const { size } = this.#filter.removed;
    if (size > 0)
      this.#add(step, { type: "notice", code: "links_removed", text: linksRemoved([...this.#filter.removed]) });
    return { text: part.text };
  }

  #write(step: number, text: string): void {
    if (text === "") return;
    if (this.#open === null) {
      this.#open = this.#parts.push({ type: "text", text: "" }) - 1;
      this.#steps.push(step);
      this.#events.push({
        type: "chat.part.started",
        data: { ...this.#at(this.#open), part: { type: "text", text: "" } },
      });
    }
    const at = this.#open;
    const { text: before } = this.#parts[at] as Extract<Part, { type: "text" }>;
    this.#parts[at] = { type: "text", text: before + text };
    this.#events.push({ type: "chat.part.delta", data: { ...this.#at(at), text } });
  }

  #call(step: number, tool: string, given: unknown): void {
    if (this.#placeOf(step) >= 0) return;
    const call: CallPart = {
      ...{ type: "tool_call", call_id: `call_${step}`, tool, arguments: this.#restored(given), state: "running" },
      ...{ result: null, failure: null },
    };
    const at = this.#parts.push(call) - 1;
    this.#steps.push(step);
    this.#events.push({ type: "chat.part.started", data: { ...this.#at(at), part: call } });
  }

  #called(step: number, end: Pick<CallPart, "state" | "result" | "failure">): void {
    const at = this.#placeOf(step);
    if (at < 0) return;
    const part = { ...(this.#parts[at] as CallPart), ...end };
    if (isDeepStrictEqual(part, this.#parts[at])) return;
    this.#parts[at] = part;
    this.#events.push({ type: "chat.part.completed", data: { ...this.#at(at), part } });
  }

  #add(step: number, part: Part): void {
    const at = this.#parts.push(part) - 1;
    this.#steps.push(step);
    for (const type of ["chat.part.started", "chat.part.completed"] as const)
      this.#events.push({ type, data: { ...this.#at(at), part } });
  }

  #changed(): NewChatEvent {
    return { type: "chat.message.changed", data: { message: this.#given.view([...this.#parts]) } };
  }

  #placeOf(step: number): number {
    return this.#parts.findIndex((part, at) => part.type === "tool_call" && this.#steps[at] === step);
  }

  #at(index: number) {
    return { message_id: this.#given.id, index };
  }

  /** Values with what stands behind placeholders. */
  #restored<T>(value: T): T {
    return JSON.parse(JSON.stringify(value ?? null), (_name, one) =>
      typeof one === "string" ? this.#given.restore(one) : one,
    ) as T;
  }
}

function shown(data: unknown): unknown {
  const text = JSON.stringify(data) ?? "null";
  return text.length <= mostShown ? data : { shortened: text.slice(0, mostShown) };
}

function linksRemoved(hosts: readonly string[]): string {
  const named = hosts.filter((host) => host !== "");
  const to = named.length === 0 ? "" : ` to ${named.slice(0, 5).join(", ")}`;
  return `Links${to} were removed: they lead to places that this agent has no business with.`;
}
