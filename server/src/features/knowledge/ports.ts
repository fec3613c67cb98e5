import type { Fault } from "../../kernel/errors.ts";
import type { Environment } from "../../kernel/principal.ts";

/** A file that was fetched from an address. */
export interface Downloaded {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** In lower case, and without parameters but a charset that is not UTF-8; null: the answer says none. */
  readonly media_type: string | null;
  readonly file_name: string | null;
  /** The address that answered, after redirects. */
  readonly url: string;
}

export interface DownloadLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Why nothing was fetched: `fetch_refused` (the guard), `fetch_failed`, `too_large`. */
export interface DownloadFault {
  readonly code: string;
  readonly detail: string;
}

/** The way out to addresses of documents, through the guard. */
export interface DownloadPort {
  /** What is wrong with an address by itself; nothing is looked up or sent. */
  checkUrl(environment: Environment, url: string): Fault | null;
  /** Fetches an address into a file. */
  download(
    environment: Environment,
    url: string,
    file: string,
    limits: DownloadLimits,
  ): Promise<Downloaded | { readonly fault: DownloadFault }>;
}

/** Why a source could not be read; `code` and `detail` are shown to people and hold no secret. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  readonly code: string;
  readonly detail: string;
  /** Nobody answered: several of these in a row end a sync. */
  readonly unreachable: boolean;
  constructor(
    code: string,
    detail: string,
    { unreachable = false, cause }: { unreachable?: boolean; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.detail = detail;
    this.unreachable = unreachable;
  }
}

export interface SourceRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: 10 MiB. */
  readonly maxBytes?: number;
  /** Default: 30 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface SourceAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface DatabaseTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly tls: boolean;
  readonly user: string;
  readonly password: string;
}

/** The way to sources of one environment. */
export interface SourceAccess {
  /** Any status is an answer; redirects are not followed. One request at a time to a host. Throws SourceFault. */
  send(request: SourceRequest): Promise<SourceAnswer>;
  /** The rows of one query in a read-only transaction, some at a time. Throws SourceFault. */
  rows(
    target: DatabaseTarget,
    query: string,
    limits: { readonly batch: number; readonly timeoutMs: number; readonly signal: AbortSignal },
  ): AsyncIterable<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** What connectors need of the machines. */
export interface SourcePort {
  /** Seals credentials. */
  readonly credentialKey: Buffer;
  /** Absolute folders below which connectors may read files; none: connectors of kind folder are off. */
  readonly folders: readonly string[];
  /** Why an address must not be called, by its text alone; null if it may. */
  checkUrl(environment: Environment, url: string): { readonly code: string; readonly detail: string } | null;
  open(environment: Environment): SourceAccess;
}
