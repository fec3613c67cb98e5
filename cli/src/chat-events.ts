import { randomUUID } from "node:crypto";
import { operations } from "@aos/sdk/operations";
import type { Reply, Service } from "./http.ts";
import { rounded } from "./output/table.ts";
import { fitted } from "./output/text.ts";
import { problemOf } from "./problems.ts";
import { painter, printable, type Terminal } from "./terminal.ts";

/** A message as the service shows it (`Message` of the interface), as far as commands look into it. */
interface MessageShown {
  readonly message_id: string;
  readonly role: string;
  readonly author: { readonly name: string };
  readonly status: string;
  readonly parts: readonly PartShown[];
  readonly turn_id: string | null;
  readonly trust_score: number | null;
}

interface PartShown {
  readonly type: string;
  readonly text?: string;
  readonly code?: string;
  readonly options?: readonly string[];
  readonly title?: string;
  readonly quote?: string;
  readonly url?: string | null;
  readonly tool?: string;
  readonly state?: string;
  readonly summary?: string;
  readonly approve_url?: string;
}

interface SentShown {
  readonly turn_id: string | null;
  readonly message_id: string;
  readonly state: string;
  readonly sequence: number;
}

export interface Talk {
  readonly service: Service;
  readonly conversation: string;
  readonly terminal: Terminal;
  /** Events as lines of JSON instead of text. */
  readonly json: boolean;
  sequence: number;
}

export const pathOf = (conversation: string): string => `/v1/chat/conversations/${encodeURIComponent(conversation)}`;

const over: ReadonlySet<string> = new Set([
  "awaiting_approval",
  "input_required",
  "completed",
  "failed",
  "blocked",
  "stopped",
]);

/** Sends a message and shows the reply until the turn ends or waits for people. If a person answers, shows what they wrote before. */
export async function say(talk: Talk, text: string): Promise<{ readonly state: string } | { readonly refusal: Reply }> {
  const headers = { "Idempotency-Key": randomUUID() };
  const reply = await talk.service.call("POST", `${pathOf(talk.conversation)}/messages`, { json: { text }, headers });
  if (problemOf(reply) !== null) return { refusal: reply };
  const sent = reply.body as SentShown;
  return { state: await answered(talk, sent) };
}

const follow = ({ service, conversation, terminal, sequence }: Talk) =>
  service.follow(
    operations["chat.followConversation"],
    { conversation },
    {
      lastEventId: String(sequence),
      onReopen: () => terminal.stderr.write("Connection lost; reconnecting.\n"),
    },
  );

async function answered(talk: Talk, { turn_id, message_id }: SentShown): Promise<string> {
  const shown = new Shown(talk.terminal);
  for await (const event of follow(talk)) {
    const told = show(talk, shown, event, message_id);
    if (turn_id === null && told.message?.message_id === message_id) return "with_person";
    const { turn } = told;
    if (event.type === "chat.turn.changed" && turn?.turn_id === turn_id && over.has(turn.state)) return turn.state;
  }
  return "over";
}

export async function catchUp(talk: Talk, sequence: number): Promise<void> {
  if (talk.sequence >= sequence) return;
  const shown = new Shown(talk.terminal);
  for await (const event of follow(talk)) {
    show(talk, shown, event, "");
    if (talk.sequence >= sequence) return;
  }
}

function show(talk: Talk, shown: Shown, { id, type, data }: Followed, sent: string): Told {
  talk.sequence = Number(id);
  const told = ((data as { data?: unknown }).data ?? data) as Told;
  if (talk.json) talk.terminal.stdout.write(`${JSON.stringify({ sequence: talk.sequence, type, data: told })}\n`);
  else shown.tell(type, told, sent);
  return told;
}

type Followed = { readonly id: unknown; readonly type: string; readonly data: unknown };

interface Told {
  readonly message?: MessageShown;
  readonly message_id?: string;
  readonly text?: string;
  readonly part?: PartShown;
  readonly turn?: { readonly turn_id: string; readonly state: string };
}

/** Shows events as text: pieces of a reply as they come, sources and other parts when it is complete. */
class Shown {
  readonly #terminal: Terminal;
  /** The message whose line is not ended yet. */
  #open: string | null = null;
  readonly #streamed = new Set<string>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  tell(type: string, { message, message_id = "", text = "", part }: Told, sent: string): void {
    if (type === "chat.part.delta") this.#piece(message_id, text);
    if (type === "chat.part.started" && part?.type === "tool_call") this.#aside(`using ${part.tool}`);
    if (type === "chat.message.completed" && message) this.#whole(message);
    if (type === "chat.message.created" && message && message.message_id !== sent && message.status === "complete")
      this.#whole(message);
    if (type === "chat.message.changed" && message?.status === "waiting") this.#waiting(message);
  }

  #piece(id: string, text: string): void {
    if (this.#open !== id) this.#close();
    this.#open = id;
    this.#streamed.add(id);
    this.#terminal.stdout.write(linesOf(text));
  }

  #close(): void {
    if (this.#open !== null) this.#terminal.stdout.write("\n");
    this.#open = null;
  }

  #aside(text: string): void {
    this.#close();
    this.#terminal.stderr.write(`${painter(this.#terminal).faint(printable(text))}\n`);
  }

  #whole({ message_id, role, author, parts, trust_score }: MessageShown): void {
    this.#close();
    if (role === "user") return;
    if (role === "person") this.#aside(`${author.name}:`);
    for (const { type, text = "", title = "", quote = "", url } of parts) {
      if (type === "text" && !this.#streamed.has(message_id)) this.#terminal.stdout.write(`${linesOf(text)}\n`);
      if (type === "notice") this.#aside(text);
      if (type === "citation") this.#aside(`source: ${title}${url ? ` (${url})` : ""}: “${inOneLine(quote)}”`);
    }
    if (role === "agent" && trust_score !== null) this.#aside(`trust ${rounded(trust_score)}`);
  }

  #waiting({ parts }: MessageShown): void {
    this.#close();
    for (const { type, state, summary, approve_url, text = "", options = [] } of parts) {
      if (type === "approval" && state === "pending") this.#aside(`waits for approval: ${summary}\n${approve_url}`);
      if (type === "notice") this.#aside(`${text}${options.length > 0 ? ` (${options.join(", ")})` : ""}`);
    }
  }
}

/** The beginning of a passage. */
const inOneLine = (text: string): string => fitted(text.trim().replaceAll(/\s+/g, " "), 160);
const linesOf = (text: string): string => text.split("\n").map(printable).join("\n");
