import { EventReader } from "./sse.ts";
import type { Conversation, Message, StreamEvent } from "./types.ts";

/** What the page's server passes on from `POST /v1/chat/tokens`. */
interface Token {
  readonly token: string;
  readonly agent: string;
  readonly user: string;
  readonly conversation: string | null;
  readonly expires_at: string;
}

/** A call that was answered with an error. */
export class CallFailed extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** A token is renewed so long before it ends (milliseconds). */
const renewedBefore = 30_000;
/** Silence after which a connection counts as lost: the service says something every 15 seconds. */
const silenceAllowed = 40_000;
const longestPause = 15_000;

interface ClientOptions {
  readonly service: string;
  readonly tokenUrl: string;
}

/** Calls of the service by tokens that the page's own server hands out. */
export class Client {
  readonly #options: ClientOptions;
  #token: Promise<Token> | undefined;
  #conversation: string | null = null;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Whose conversations with whom these are, as far as the browser may remember it. */
  async holder(): Promise<Pick<Token, "agent" | "user" | "conversation">> {
    return this.#valid();
  }

  /** The next token is for a conversation that is still to be started. */
  forget(): void {
    this.#conversation = null;
    this.#token = undefined;
  }

  async #valid(): Promise<Token> {
    this.#token ??= this.#askForToken();
    try {
      const token = await this.#token;
      if (Date.parse(token.expires_at) - Date.now() > renewedBefore) return token;
    } catch (error) {
      this.#token = undefined;
      throw error;
    }
    this.#token = this.#askForToken();
    return this.#token;
  }

  async #askForToken(): Promise<Token> {
    const response = await fetch(this.#options.tokenUrl, {
      method: "POST",
      credentials: "include",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ conversation: this.#conversation }),
    });
    if (!response.ok) throw new CallFailed(response.status, `${this.#options.tokenUrl} answered ${response.status}`);
    return response.json();
  }

  /** One call; a token that ended meanwhile is renewed once. */
  async #fetch(path: string, init: RequestInit = {}, mayRenew = true): Promise<Response> {
    const { token } = await this.#valid();
    const headers = { Authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${this.#options.service}/v1/chat/conversations${path}`, { ...init, headers });
    if (response.ok) return response;
    if (response.status === 401 && mayRenew) {
      this.#token = undefined;
      return this.#fetch(path, init, false);
    }
    const problem = await response.json().catch(() => ({}));
    throw new CallFailed(response.status, problem.detail ?? response.statusText);
  }

  async #json<T>(path: string, init?: RequestInit): Promise<T> {
    return (await this.#fetch(path, init)).json();
  }

  #post<T>(path: string, body: object, key: string = crypto.randomUUID()): Promise<T> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    return this.#json(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  read(id: string): Promise<Conversation> {
    this.#conversation = id;
    return this.#json(`/${id}`);
  }

  /** The latest messages. */
  async messages(id: string): Promise<readonly Message[]> {
    return (await this.#json<{ data: Message[] }>(`/${id}/messages?limit=100`)).data;
  }

  async start(language: string): Promise<Conversation> {
    const { agent } = await this.#valid();
    const started = await this.#post<Conversation>("", { agent, language });
    this.#conversation = started.conversation_id;
    return started;
  }

  /** Sends a message; `key` stays the same when it is sent again. */
  send(id: string, body: { text: string; files?: readonly string[] }, key: string): Promise<{ message_id: string }> {
    return this.#post(`/${id}/messages`, body, key);
  }

  stop = (id: string): Promise<unknown> => this.#post(`/${id}/stop`, {});

  askForPerson = (id: string, reason: string): Promise<Conversation> =>
    this.#post(`/${id}/handoff`, { to: "person", reason });

  rate = (id: string, message: string, good: boolean): Promise<unknown> =>
    this.#post(`/${id}/messages/${message}/feedback`, { accepted: good });

  attach(id: string, file: File): Promise<{ file_id: string; name: string }> {
    const body = new FormData();
    body.append("file", file);
    return this.#json(`/${id}/files`, { method: "POST", body });
  }

  async download(id: string, file: string): Promise<Blob> {
    return (await this.#fetch(`/${id}/files/${file}`, { headers: { Accept: "application/octet-stream" } })).blob();
  }

  /**
   * Follows a conversation from an event on, and comes back whenever the connection is lost, until `signal` says stop or the conversation can be read no longer.
   */
  async follow(id: string, from: number, { signal, heard, lost }: Following): Promise<void> {
    let last = from;
    let pause = 0;
    while (!signal.aborted) {
      try {
        const isOver = await this.#readStream(id, last, signal, (event) => {
          pause = 0;
          last = Math.max(last, event.id);
          heard(event);
        });
        if (isOver) return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CallFailed && [403, 404].includes(error.status)) throw error;
      }
      if (signal.aborted) return;
      lost();
      pause = Math.min(longestPause, pause * 2 || 500);
      await wait(pause * (0.5 + Math.random() / 2), signal);
    }
  }

  /** Reads one connection to its end; true: the conversation is over. */
  async #readStream(
    id: string,
    after: number,
    signal: AbortSignal,
    heard: (event: StreamEvent) => void,
  ): Promise<boolean> {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), silenceAllowed);
    try {
      const response = await this.#fetch(`/${id}/stream`, {
        headers: { Accept: "text/event-stream", "Last-Event-ID": String(after) },
        cache: "no-store",
        signal: AbortSignal.any([signal, silent.signal]),
      });
      const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
      const events = new EventReader();
      heard({ id: after, type: "connected", data: null });
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return false;
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), silenceAllowed);
        for (const event of events.read(value)) {
          if (event.type === "end") return true;
          heard(event);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Following {
  readonly signal: AbortSignal;
  readonly heard: (event: StreamEvent) => void;
  /** The connection is gone; it is tried again. */
  readonly lost: () => void;
}

/** Waits, but no longer than until the browser is back online or somebody looks at the page again. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const go = (): void => resolve();
  window.addEventListener("online", go, { once: true });
  signal.addEventListener("abort", go, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener("online", go);
    signal.removeEventListener("abort", go);
  });
}
