import type { Effect } from "../../kernel/effect.ts";
import type { Outbound } from "../../outbound/index.ts";

// What an http tool is to the runtime, and what a call of it comes to.

/** One request. `{name}` in address, query, headers and body stands for the argument of that name; `{{` and `}}` for braces. */
export interface HttpToolRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An http tool as a version defines it: `request`, or one operation of an OpenAPI description. */
export interface HttpTool {
  readonly name: string;
  readonly description?: string;
  readonly effect: "read" | "write";
  readonly request?: HttpToolRequest;
  readonly openapi?: { readonly url: string; readonly operation: string };
  /** JSON Schema of the arguments; with `openapi` it narrows what the operation takes. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly idempotency?: { readonly header: string };
  /** Requests that an admin marked as reads, such as `POST https://api.example.com/search`, for an operation of a description. */
  readonly markedReads?: readonly string[];
}

/** What a connection adds to a request. */
export interface HttpCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The origins (`https://api.example.com`) that may get them: whoever writes a tool must not be able to send a secret elsewhere. */
  readonly origins: readonly string[];
}

/** Where descriptions of interfaces come from; see `createOpenApiDescriptions`. */
export interface OpenApiDescriptions {
  /** The description at an address, as a plain value. Throws `OpenApiError`, or the signal's reason. */
  read(url: string, outbound: Outbound, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

export interface HttpToolSources {
  readonly outbound: Outbound;
  readonly descriptions: OpenApiDescriptions;
  readonly signal: AbortSignal;
}

export interface HttpToolCall extends HttpToolSources {
  /** Of the tool's connection; null: it has none. */
  readonly credentials: HttpCredentials | null;
  /** Of a write, whose key is sent where the tool declares an idempotency header; null: the call only reads. */
  readonly effect: Effect | null;
  /** From the call until the last byte of the answer, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
}

export interface HttpToolFailure {
  readonly code: string;
  readonly detail: string;
}

/**
 * What a call came to.
 * `answered`: the target answered, and whether a write took effect is known. `failure` is null where it did what was asked; `output` is the answer's data either way.
 * `not_sent`: the target has received nothing; a write has not happened. `retryable`: trying again could help.
 * `unknown_outcome`: the request may have arrived and taken effect. Of a reading tool this is harmless.
 */
export type HttpToolResult =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly output: unknown;
      readonly failure: HttpToolFailure | null;
      readonly retryable: boolean;
      /** What the target asked to wait, in milliseconds; null: nothing said. */
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: "not_sent"; readonly failure: HttpToolFailure; readonly retryable: boolean }
  | {
      readonly kind: "unknown_outcome";
      readonly failure: HttpToolFailure;
      /** What the target answered all the same, such as 502; null: nothing. */
      readonly status: number | null;
      readonly output: unknown;
      /** As above. */
      readonly retryAfterMs: number | null;
    };
