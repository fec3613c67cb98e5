import { setTimeout as delay } from "node:timers/promises";

/** An answer that is as expected. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
  /** Parsed where it is JSON. It is taken to be what the operation's description says. */
  readonly body: T;
}

export interface Sent {
  /** Sent as JSON; a text as it is, of the type that `type` names. */
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the service; throws an Error with the problem's words for an answer that is no success. */
export type Call = <T = unknown>(method: string, path: string, sent?: Sent) => Promise<Answer<T>>;

/** How often an answer that says "later" is heeded, and how long at most (seconds). */
const patience = { tries: 30, seconds: 30 };

/**
 * A client with one key. Answers 429 and 503 are awaited as long as their `Retry-After` says; changes carry an Idempotency-Key, so that repeating one does it once.
 */
export function createCall(url: string, key: string, newKey: () => string): Call {
  return async <T>(method: string, path: string, sent: Sent = {}): Promise<Answer<T>> => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...contentType(sent),
      ...repeatable(method, newKey),
      ...sent.headers,
    };
    for (let tried = 1; ; tried++) {
      const answer = await once(`${url}${path}`, { method, headers, body: bodyOf(sent) });
      if (answer.status < 300) return answer as Answer<T>;
      if (tried === patience.tries || (answer.status !== 429 && answer.status !== 503))
        throw new Error(`${method} ${path} ${problemOf(answer)}`);
      await delay(1000 * Math.min(patience.seconds, Number(answer.headers.get("retry-after") ?? 1)));
    }
  };
}

async function once(url: string, init: RequestInit): Promise<Answer<unknown>> {
  const response = await fetch(url, init).catch((error: TypeError & { cause?: { code?: string } }) => {
    throw new Error(`${url} cannot be reached (${error.cause?.code ?? error.message})`);
  });
  const text = await response.text();
  const json = /^application\/(problem\+)?json\b/.test(response.headers.get("content-type") ?? "") && text !== "";
  return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text };
}

const bodyOf = ({ body }: Sent): string | null =>
  body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);

const contentType = ({ body, type }: Sent): Record<string, string> =>
  body === undefined ? {} : { "content-type": type ?? "application/json" };

const repeatable = (method: string, newKey: () => string): Record<string, string> =>
  method === "POST" || method === "PATCH" ? { "idempotency-key": newKey() } : {};

interface ProblemBody {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer?: string; readonly detail?: string }[];
}

/** What a problem says, in one line: status, code, words, and the first faults with their places. */
function problemOf({ status, body, text }: Answer<unknown>): string {
  if (typeof body !== "object" || body === null) return `answered ${status}: ${text.slice(0, 300)}`;
  const { code, detail, errors = [] } = body as ProblemBody;
  const places = errors.slice(0, 5).map((fault) => `${fault.pointer ?? ""} ${fault.detail ?? ""}`.trim());
  return [`answered ${status} ${code}: ${detail}`, ...places].join("; ");
}
