import { isDeepStrictEqual } from "node:util";
import type { NoticeTexts } from "@aos/user-texts";
import type { Tell, Telling, Told } from "../../../kernel/chat-turn.ts";
import { policyBlocked } from "../../../kernel/problems.ts";
import type { ReplyOptions } from "../../../kernel/reply-options.ts";
import { jsonWithTexts } from "../../../kernel/stored-json.ts";
import type { NewChatEvent } from "../conversations/event-store.ts";
import type { Message, Part } from "../schemas.ts";
import { filterTexts, unfitNow } from "./formatted-reply.ts";
import { ReplyFilter } from "./reply-filter.ts";
import { addressesFound } from "./reply-rules.ts";
import { StopTexts } from "./stop-texts.ts";

type CallPart = Extract<Part, { type: "tool_call" }>;
type Failure = { readonly code: string; readonly detail: string };

export interface Written {
  readonly parts: readonly Part[];
  readonly steps: readonly (number | null)[];
  readonly events: readonly NewChatEvent[];
}

export interface LiveReplyParts {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly steps: readonly (number | null)[] | null;
  readonly hosts: ReadonlySet<string>;
  /** Grows by the addresses of documents that are found. */
  readonly addresses: Set<string>;
  readonly restore: (text: string) => string;
  /** Whether policies judge each step's text as a whole. */
  readonly holds: () => boolean;
  readonly judge: (text: string) => Promise<{ readonly text: string } | { readonly failure: Failure }>;
  /** False: the lease is lost. */
  readonly store: (written: Written) => Promise<boolean>;
  readonly view: (parts: readonly Part[]) => Message;
  readonly waited: boolean;
  readonly options: ReplyOptions;
  readonly texts: Pick<NoticeTexts, "linksRemoved">;
}

const mostShown = 20_000;

/** Nothing leaves before filter and policies have seen it. A step reported twice appears once. */
export class LiveReply {
  readonly #given: LiveReplyParts;
  #parts: Part[];
  #steps: (number | null)[];
  #events: NewChatEvent[] = [];
  #filter: ReplyFilter;
  #stops: StopTexts;
  /** Of a reply in a format: what the model wrote. */
  #formatted = "";
  #goesOn: NewChatEvent | null;
  /** Index of the open text part. */
  #open: number | null = null;
  /** Null: policies need not judge. */
  #unjudged: string | null = null;

  constructor(given: LiveReplyParts) {
    this.#given = given;
    this.#parts = [...given.parts];
    this.#steps = given.parts.map((_part, at) => given.steps?.[at] ?? null);
    this.#filter = new ReplyFilter(given);
    this.#stops = new StopTexts(given.options.stop ?? []);
    this.#goesOn = given.waited ? this.#changed() : null;
  }

  readonly tell: Tell = async (told): Promise<Telling> => {
    let text: string | null = null;
    for (const one of told) {
      if (one.kind === "end") {
        const ended = await this.#end(one.step);
        if ("failure" in ended) return { kind: "blocked", failure: ended.failure };
        text = ended.text;
        continue;
      }
      const failure = one.kind === "call" && one.forCaller ? await this.#judgedCall(one.arguments) : null;
      if (failure) return { kind: "blocked", failure };
      this.#take(one);
    }
    const stopped = this.#stops.stopped ? { stopped: true } : {};
    const events = this.#events.splice(0);
    if (events.length === 0) return { kind: "told", text, ...stopped };
    if (this.#goesOn) events.unshift(this.#goesOn);
    this.#goesOn = null;
    const stored = await this.#given.store({ parts: this.#parts, steps: this.#steps, events });
    return stored ? { kind: "told", text, ...stopped } : { kind: "lost" };
  };

  #take(told: Exclude<Told, { kind: "end" }>): void {
    const { step } = told;
    if (told.kind === "begin") this.#begin(step);
    if (told.kind === "text" && this.#given.options.format && !told.plain) this.#formatted += told.text;
    else if (told.kind === "text") this.#hear(step, this.#filter.take(told.text));
    if (told.kind === "call") this.#call(told);
    if (told.kind === "failed")
      this.#called(step, { state: "failed", result: null, failure: this.#restored(told.failure) });
    if (told.kind !== "answered") return;
    for (const address of addressesFound(told.data)) this.#given.addresses.add(address);
    this.#called(step, { state: "completed", result: shown(this.#restored(told.data)), failure: null });
  }

  #hear(step: number, text: string): void {
    if (this.#unjudged === null) this.#write(step, this.#stops.take(text));
    else this.#unjudged += text;
  }

  /** A caller's function gets arguments that a model wrote: what policies would not let out as text they do not let out so either. */
  async #judgedCall(given: unknown): Promise<Failure | null> {
    if (!this.#given.holds()) return null;
    const text = JSON.stringify(this.#restored(given));
    const judged = await this.#given.judge(text);
    if ("failure" in judged) return judged.failure;
    if (judged.text === text) return null;
    const detail = "A policy replaces personal data in replies, and the arguments of a call for the caller have some.";
    return { code: policyBlocked.code, detail };
  }

  /** Drops what this step and later ones wrote before. */
  #begin(step: number): void {
    const stays = this.#parts.map((_part, at) => (this.#steps[at] ?? 0) < step);
    if (stays.includes(false)) {
      this.#parts = this.#parts.filter((_part, at) => stays[at]);
      this.#steps = this.#steps.filter((_step, at) => stays[at]);
      this.#events.push(this.#changed());
    }
    this.#filter = new ReplyFilter(this.#given);
    this.#stops = new StopTexts(this.#given.options.stop ?? []);
    this.#formatted = "";
    this.#open = null;
    this.#unjudged = this.#given.holds() ? "" : null;
  }

  async #end(step: number): Promise<{ readonly text: string | null } | { readonly failure: Failure }> {
    const { format } = this.#given.options;
    const rest = format && this.#formatted !== "" ? this.#filtered() : this.#filter.end();
    const whole = (this.#unjudged ?? "") + rest;
    const judged = this.#unjudged === null || whole === "" ? { text: rest } : await this.#given.judge(whole);
    if ("failure" in judged) return judged;
    const unfit = format && this.#formatted !== "" && judged.text !== "" ? unfitNow(judged.text, format) : null;
    if (unfit) return { failure: unfit };
    this.#write(step, this.#stops.take(judged.text) + this.#stops.end());
    const at = this.#open;
    this.#open = null;
    if (at === null) return { text: null };
    const part = this.#parts[at] as Extract<Part, { type: "text" }>;
    this.#events.push({ type: "chat.part.completed", data: { ...this.#at(at), part } });
    const { size } = this.#filter.removed;
    if (size > 0) this.#add(step, { type: "notice", code: "links_removed", text: this.#given.texts.linksRemoved });
    return { text: part.text };
  }

  /** A reply in a format, each of its texts filtered by itself. */
  #filtered(): string {
    return filterTexts(this.#formatted, (text) => {
      const filter = new ReplyFilter(this.#given);
      const filtered = filter.take(text) + filter.end();
      for (const host of filter.removed) this.#filter.removed.add(host);
      return filtered;
    });
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

  #call({ step, tool, arguments: given, forCaller }: Extract<Told, { kind: "call" }>): void {
    if (this.#placeOf(step) >= 0) return;
    const call: CallPart = {
      type: "tool_call",
      call_id: `call_${step}`,
      tool,
      ...(forCaller && { by: "caller" as const }),
      arguments: this.#restored(given),
      state: "running", // one for the caller waits once its effect has begun: settling says so
      result: null,
      failure: null,
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

  /** Restores what placeholders stand for. */
  #restored<T>(value: T): T {
    return jsonWithTexts(JSON.stringify(value ?? null), (text) => this.#given.restore(text)) as T;
  }
}

function shown(data: unknown): unknown {
  const text = JSON.stringify(data) ?? "null";
  return text.length <= mostShown ? data : { shortened: text.slice(0, mostShown) };
}
