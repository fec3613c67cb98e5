import { filled, type Words } from "@aos/user-texts/widget";
import { element, textButton } from "./dom.ts";
import { authorOf, type MessageActions, messageView } from "./message-view.ts";
import { type ChatState, shownMessages } from "./state.ts";
import type { Message } from "./types.ts";

/** A message that the service has not confirmed. */
interface Pending {
  readonly key: string;
  readonly text: string;
  readonly id?: string;
  readonly fault?: { readonly why: string; readonly retry: () => void };
}

/** How far from its end a list may be scrolled and still follow what is new (pixels). */
const nearEnd = 80;

/** The messages on the page. One that did not change keeps its element. */
export class MessageList {
  readonly #log: HTMLElement;
  readonly #words: Words;
  readonly #language: string;
  readonly #actions: MessageActions;
  readonly #drawn = new Map<string, { readonly of: Message | Pending; readonly view: HTMLElement }>();
  readonly #rated = new Map<string, boolean>();
  #pending: Pending[] = [];

  constructor(log: HTMLElement, words: Words, language: string, actions: MessageActions) {
    this.#log = log;
    this.#words = words;
    this.#language = language;
    const rate: MessageActions["rate"] = async (message, good) => {
      const isTaken = await actions.rate(message, good);
      if (isTaken) this.#rated.set(message.message_id, good);
      return isTaken;
    };
    this.#actions = { ...actions, rate };
  }

  sending(key: string, text: string): void {
    this.#pending = [...this.#pending.filter((one) => one.key !== key), { key, text }];
  }

  sent(key: string, id: string, messages: readonly Message[]): void {
    const isThere = messages.some(({ message_id }) => message_id === id);
    this.#pending = this.#pending.flatMap((one) => (one.key !== key ? [one] : isThere ? [] : [{ ...one, id }]));
  }

  failed(key: string, why: string, retry: () => void): void {
    this.#pending = this.#pending.map((one) => (one.key === key ? { ...one, fault: { why, retry } } : one));
  }

  /** The service tells of a message: by its id, or before that is known by what it says. */
  confirm({ message_id: id, role, parts }: Message): void {
    if (role !== "user") return;
    const text = parts.find(({ type }) => type === "text") as { text: string } | undefined;
    const mine = this.#pending.find((one) => (one.id === undefined ? one.text === text?.text : one.id === id));
    this.#pending = this.#pending.filter((one) => one !== mine);
  }

  /** A message as it is read out. */
  spoken(message: Message): string {
    const said = message.parts.flatMap((part) => {
      if (part?.type === "text" || part?.type === "notice") return [part.text];
      if (part?.type === "approval") return [filled(this.#words[`approval_${part.state}`], part.summary)];
      return [];
    });
    return `${authorOf(message, this.#words)}: ${said.join("\n")}`;
  }

  scrollToEnd(): void {
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  draw(state: ChatState): void {
    const log = this.#log;
    const follows = log.scrollHeight - log.scrollTop - log.clientHeight < nearEnd;
    const views = [
      ...shownMessages(state).map((message) => this.#viewOf(message.message_id, message)),
      ...this.#pending.map((one) => this.#viewOf(one.key, one)),
    ];
    const kept = new Set(views);
    for (const [key, { view }] of this.#drawn) if (!kept.has(view)) this.#drop(key, view);
    views.forEach((view, at) => {
      if (log.children[at] !== view) log.insertBefore(view, log.children[at] ?? null);
    });
    if (follows) this.scrollToEnd();
  }

  #drop(key: string, view: HTMLElement): void {
    view.remove();
    this.#drawn.delete(key);
  }

  #viewOf(key: string, of: Message | Pending): HTMLElement {
    const before = this.#drawn.get(key);
    if (before?.of === of) return before.view;
    const view = "message_id" in of ? this.#messageView(of) : this.#pendingView(of);
    const focused = before?.view.querySelector(":focus")?.getAttribute("aria-label");
    before?.view.replaceWith(view);
    if (focused) view.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    this.#drawn.set(key, { of, view });
    return view;
  }

  #messageView(message: Message): HTMLElement {
    return messageView(message, this.#rated.get(message.message_id), {
      words: this.#words,
      language: this.#language,
      actions: this.#actions,
    });
  }

  #pendingView({ text, fault }: Pending): HTMLElement {
    const bubble = element("div", { class: "bubble" }, element("p", { class: "plain" }, text));
    const view = element("article", { class: "message user", "aria-label": this.#words.you }, bubble);
    if (fault) view.append(element("p", { class: "mark" }, fault.why), textButton(this.#words.again, fault.retry));
    return view;
  }
}
