import { filled, type Words } from "@aos/user-texts/widget";
import { CallFailed, type Client } from "./client.ts";
import { element, textButton } from "./dom.ts";
import { MessageList } from "./message-list.ts";
import { createPanel, type Panel, type PanelOptions } from "./panel.ts";
import { remembered } from "./remembered.ts";
import { applyEvent, type ChatState, emptyState, stateFrom } from "./state.ts";
import type { Message, StreamEvent } from "./types.ts";

const largestFile = 10 * 1024 * 1024;
/** How often the place in the queue is read again (milliseconds). */
const queueEvery = 15_000;

/** A conversation on a page: what was said, what the user does, and how that is shown. */
export class Widget {
  readonly #client: Client;
  readonly #words: Words;
  readonly #language: string;
  readonly #panel: Panel;
  readonly #list: MessageList;
  #state: ChatState = emptyState;
  #following: AbortController | null = null;
  #starting: Promise<string> | null = null;
  #queue: ReturnType<typeof setTimeout> | null = null;
  #files: { readonly file_id: string; readonly name: string }[] = [];
  #fault = "";
  #isLost = false;
  /** The conversation was erased, or is not the user's any more. */
  #isGone = false;

  constructor(client: Client, options: PanelOptions) {
    this.#client = client;
    this.#words = options.words;
    this.#language = options.language;
    this.#panel = createPanel(options, {
      open: () => this.open(),
      close: () => this.close(),
      send: () => this.#sendTyped(),
      stop: () => void this.#try((id) => client.stop(id)),
      askForPerson: () => void this.#askForPerson(),
      attach: (file) => void this.#attach(file),
    });
    this.#list = new MessageList(this.#panel.log, this.#words, this.#language, {
      rate: async (message, good) => {
        const isRated = await this.#try((id) => client.rate(id, message.message_id, good));
        if (isRated) this.#say(this.#words.thanks);
        return isRated;
      },
      answer: (text) => void this.#send({ text }),
      download: (file, name) => void this.#download(file, name),
    });
  }

  get host(): HTMLElement {
    return this.#panel.host;
  }

  open(): void {
    const { panel, launcher, text } = this.#panel;
    panel.hidden = false;
    launcher.hidden = true;
    launcher.setAttribute("aria-expanded", "true");
    launcher.classList.remove("unread");
    text.focus();
    this.#draw();
    this.#list.scrollToEnd();
    if (!this.#following) void this.#load();
  }

  close(): void {
    const { panel, launcher } = this.#panel;
    panel.hidden = true;
    launcher.hidden = false;
    launcher.setAttribute("aria-expanded", "false");
    launcher.focus();
  }

  get #id(): string | null {
    return this.#state.conversation?.conversation_id ?? null;
  }

  /** Goes on with the conversation that this user had, if there is one. */
  async #load(): Promise<void> {
    this.#fault = "";
    this.#draw();
    try {
      const holder = await this.#client.holder();
      const id = holder.conversation ?? remembered(holder).read();
      if (id !== null) await this.#join(id);
    } catch (error) {
      if (error instanceof CallFailed && [403, 404].includes(error.status)) return this.#restart();
      this.#fault = this.#words.unavailable;
    }
    this.#draw();
  }

  async #join(id: string): Promise<void> {
    const conversation = await this.#client.read(id);
    this.#state = stateFrom(conversation, await this.#client.messages(id));
    this.#follow(id);
  }

  /** The conversation's id; started with the first message, so that nothing is kept of who only looks. */
  #started(): Promise<string> {
    if (this.#id !== null) return Promise.resolve(this.#id);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(): Promise<string> {
    const conversation = await this.#client.start(this.#language);
    remembered(await this.#client.holder()).write(conversation.conversation_id);
    this.#state = stateFrom(conversation, []);
    this.#follow(conversation.conversation_id);
    return conversation.conversation_id;
  }

  #follow(id: string): void {
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    const heard = (event: StreamEvent): void => this.#hear(event);
    const lost = (): void => {
      if (!this.#isLost) this.#say(this.#words.lost);
      this.#isLost = true;
      this.#draw();
    };
    const { sequence } = this.#state;
    const over = (): void => {
      this.#isGone = this.#state.conversation?.state !== "closed";
      this.#draw();
    };
    void this.#client.follow(id, sequence, { signal: following.signal, heard, lost }).then(over, over);
  }

  /** No event says that others have left the queue: while the user waits in it, the place is read again now and then. */
  #watchQueue(): void {
    const { handoff, handler } = this.#state.conversation ?? {};
    const waits = handoff?.team != null && handler?.kind === "agent" && !this.#panel.panel.hidden;
    if (!waits || this.#queue !== null) return;
    this.#queue = setTimeout(async () => {
      const id = this.#id;
      const read = id === null ? null : await this.#client.read(id).catch(() => null);
      this.#queue = null;
      const { conversation } = this.#state;
      if (read && conversation && read.conversation_id === conversation.conversation_id)
        this.#state = {
          ...this.#state,
          conversation: { ...conversation, handoff: read.handoff, handler: read.handler },
        };
      this.#draw();
    }, queueEvery);
  }

  #hear(event: StreamEvent): void {
    if (this.#isLost) this.#say(this.#words.back);
    this.#isLost = false;
    const before = this.#state;
    this.#state = applyEvent(before, event);
    if (event.type === "chat.message.created") this.#list.confirm(event.data.message);
    const { message } = event.data ?? {};
    if (message && message.role !== "user" && isRead(this.#state, message) && !isRead(before, message)) {
      this.#say(this.#list.spoken(message));
      if (this.#panel.panel.hidden) this.#panel.launcher.classList.add("unread");
    }
    if (this.#state.busy && !before.busy) this.#say(this.#words.answering);
    this.#draw();
  }

  #sendTyped(): void {
    const { text } = this.#panel;
    const typed = text.value.trim();
    if (typed === "") return;
    const files = this.#files.map(({ file_id }) => file_id);
    this.#files = [];
    text.value = "";
    text.style.height = "auto";
    void this.#send({ text: typed, ...(files.length > 0 && { files }) });
  }

  /** Shows a message at once, and sends it. The same key makes sure that it arrives once, however often it is sent. */
  async #send(body: { text: string; files?: readonly string[] }, key: string = crypto.randomUUID()): Promise<void> {
    this.#list.sending(key, body.text);
    this.#draw();
    this.#list.scrollToEnd();
    try {
      const { message_id } = await this.#client.send(await this.#started(), body, key);
      this.#list.sent(key, message_id, this.#state.messages);
    } catch (error) {
      const why = filled(this.#words.notSent, this.#detailOf(error));
      this.#list.failed(key, why, () => void this.#send(body, key));
      this.#say(why);
    }
    this.#draw();
  }

  async #askForPerson(): Promise<void> {
    await this.#started().catch(() => undefined);
    await this.#try((id) => this.#client.askForPerson(id, this.#words.personReason));
    this.#panel.text.focus();
  }

  async #attach(file: File): Promise<void> {
    if (file.size > largestFile) {
      this.#fault = filled(this.#words.tooLarge, file.name);
      return this.#draw();
    }
    await this.#started().catch(() => undefined);
    await this.#try(async (id) => {
      this.#files.push(await this.#client.attach(id, file));
    });
  }

  async #download(file: string, name: string): Promise<void> {
    await this.#try(async (id) => {
      const address = URL.createObjectURL(await this.#client.download(id, file));
      element("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });
  }

  /** Does something with the conversation, and returns whether it was done; what goes wrong is shown and read out. */
  async #try(act: (id: string) => Promise<unknown>): Promise<boolean> {
    this.#fault = "";
    try {
      if (this.#id === null) throw new CallFailed(0, this.#words.unavailable);
      await act(this.#id);
    } catch (error) {
      this.#fault = this.#detailOf(error);
      this.#say(this.#fault);
    }
    this.#draw();
    return this.#fault === "";
  }

  #detailOf = (error: unknown): string => (error instanceof CallFailed ? error.message : this.#words.unreachable);

  /** Begins again. A token for one conversation is followed by one for none. */
  #restart(): void {
    this.#following?.abort();
    this.#following = null;
    this.#state = emptyState;
    this.#isGone = false;
    void this.#client.holder().then(
      (holder) => remembered(holder).write(null),
      () => undefined,
    );
    this.#client.forget();
    this.#draw();
    this.#panel.text.focus();
  }

  /** Reads something out, behind what is being read. */
  #say(text: string): void {
    const { said } = this.#panel;
    said.append(element("p", {}, text));
    while (said.childElementCount > 5) said.firstElementChild?.remove();
  }

  #draw(): void {
    const { conversation, busy } = this.#state;
    const { disclosure, handler, person, text, send, attach } = this.#panel;
    const isOver = this.#isGone || conversation?.state === "closed";
    const isWithPeople = handlerOf(this.#state, this.#words, this.#language) !== "";
    const team = conversation?.handoff?.team_title;
    disclosure.textContent = conversation?.disclosure?.text ?? this.#words.disclosure;
    disclosure.hidden = conversation?.handler.kind === "person" || team != null;
    handler.textContent =
      conversation?.handler.kind === "person" ? conversation.handler.name : (team ?? this.#words.agent);
    person.hidden = isWithPeople || isOver;
    for (const one of [text, send, attach]) one.disabled = isOver;
    this.#drawFiles();
    this.#drawProgress(busy && !isOver, isOver);
    this.#list.draw(this.#state);
    this.#watchQueue();
  }

  #drawFiles(): void {
    const { files } = this.#panel;
    const chips = this.#files.map((file) => {
      const drop = textButton(`${file.name} ×`, () => {
        this.#files = this.#files.filter((one) => one !== file);
        this.#draw();
      });
      drop.setAttribute("aria-label", filled(this.#words.remove, file.name));
      return drop;
    });
    files.replaceChildren(...chips);
  }

  /** What happens at the moment, in one line, with what can be done about it. */
  #drawProgress(isBusy: boolean, isOver: boolean): void {
    const { state, stop, more } = this.#panel;
    const words = this.#words;
    const waits = handlerOf(this.#state, words, this.#language);
    const now = isOver ? words.closed : this.#isLost ? words.lost : isBusy ? words.answering : waits;
    state.textContent = this.#fault || now;
    state.classList.toggle("fault", this.#fault !== "");
    stop.hidden = !isBusy || this.#isLost;
    const offered = isOver ? words.restart : this.#fault && this.#id === null ? words.tryAgain : "";
    if (more.textContent !== offered) more.textContent = offered;
    more.hidden = offered === "";
    more.onclick = () => (isOver ? this.#restart() : void this.#load());
  }
}

/** Whether a message is there as it stays, or waits for somebody. */
const isRead = ({ messages }: ChatState, { message_id: id }: Message): boolean =>
  messages.some(({ message_id, status }) => message_id === id && status !== "streaming" && status !== "queued");

/** What is to be said of people who answer or were asked to; empty while the agent answers. */
function handlerOf({ conversation }: ChatState, words: Words, language: string): string {
  if (conversation?.handler.kind === "person") return filled(words.personHere, conversation.handler.name);
  const { handoff } = conversation ?? { handoff: null };
  if (handoff?.to !== "person" || (handoff.taken_at !== null && handoff.team === null)) return "";
  const { team_title: team, position, opens_at: opens } = handoff;
  if (team === null) return words.personAsked;
  if (opens !== null) return filled(words.teamClosed, team, whenOf(opens, language));
  return position === null || position < 2
    ? filled(words.teamAsked, team)
    : filled(words.teamQueued, team, String(position));
}

const whenOf = (time: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(time));
