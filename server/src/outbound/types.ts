import type { Environment } from "../kernel/principal.ts";
import type { Tracer } from "../kernel/tracing.ts";

// What goes out to addresses that users name: webhooks, tools, providers of models, connectors. All of it passes one guard.

/** Looks a host name up: all of its addresses. Rejects as `dns.lookup` does, or with an OutboundError that says why it was not looked up. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>;

export interface OutboundOptions {
  /**
   * In `development` loopback may be reached, by http too, as long as the installation serves no production; elsewhere nothing that is not public, and https
   * only.
   */
  readonly environment: Environment;
  /** Whether an agent is live in production on this installation. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /**
   * What the operator of the installation opens beyond that. `10.20.0.0/16` or one address: https to these addresses. `http://models.internal:8000`: this
   * origin, by this scheme, wherever in private networks its name leads. Link-local, multicast and unspecified addresses need a range of their own.
   */
  readonly allow?: readonly string[];
  /** Default: the system's resolver, of which all in the process get their share (`names.ts`). */
  readonly resolve?: Resolve;
  /** Longest time from looking a name up until the connection stands, TLS included, in milliseconds. Default: 10,000. */
  readonly connectMs?: number;
  /** Connections to one origin at a time; further requests wait for one to become free. Default: 256. */
  readonly connections?: number;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | null;
  /** Certificates, in PEM, of authorities to trust instead of the well-known ones. */
  readonly ca?: string;
}

/** One request whose answer is read whole. */
export interface OutboundRequest {
  readonly url: string;
  /** Default: `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that only the first origin gets: they are left out once a redirect leads elsewhere. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** From the call until the last byte of the answer, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Largest body of the answer, decompressed. Default: 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Whether an answer that is larger than that is cut there, and not refused. Default: no. */
  readonly cut?: boolean;
  /**
   * The target knows repetitions, so that the request may go out on a connection that was kept, and once more where that was just closing. Default: so for GET and
   * HEAD only; false: for these neither.
   */
  readonly repeatable?: boolean;
  /** How many redirects of a GET or HEAD are followed, each checked like the first address. Default: none; the redirect is then the answer. */
  readonly redirects?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; several of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The address that answered, after redirects. */
  readonly url: string;
}

/** The way out of one environment. */
export interface Outbound {
  readonly environment: Environment;
  /** Sends a request and reads the whole answer; every status is an answer. Throws {@link OutboundError} only. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * The platform's `fetch` behind the same guard, for client libraries: the answer's body streams, redirects are answered and not followed. Throws the
   * signal's reason where it was aborted, else {@link OutboundError}. Time-outs are the caller's, by `signal`; none are set but that for connecting.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Ends all connections. */
  close(): Promise<void>;
}
