/** An answer of a service under test. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface Request {
  /** Sent as JSON; a text as it is, of the type that `headers` say. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls one service with one key. */
export type Client = (method: string, path: string, request?: Request) => Promise<Answered>;

/** A client of the service at `url` that sends `secret` as its key; it hangs up when `signal` says so. */
export function clientOf(url: string, secret: string, signal: AbortSignal | null = null): Client {
  return async (method, path, { body, headers } = {}) => {
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const response = await fetch(url + path, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...sent,
    });
    const text = await response.text();
    const json = /^application\/(problem\+)?json\b/.test(response.headers.get("content-type") ?? "") && text !== "";
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text };
  };
}

/** The body of the interface specification's one request. */
export const givenBody = { task: "qualify_lead", lead_id: "ld_1001", require_approval: true } as const;
export const dispatchPath = "/v1/agents/sales/tasks";

/** The reference of a call's record, as its answer names it. */
export function auditRefOf({ headers }: Answered): string {
  return headers.get("audit-ref") ?? "";
}
