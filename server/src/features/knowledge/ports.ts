import type { Fault } from "../../kernel/errors.ts";
import { definePort } from "../../kernel/port.ts";
import type { Environment } from "../../kernel/principal.ts";

export interface Downloaded {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** In lower case, and without parameters but a charset that is not UTF-8; null: the answer says none. */
  readonly media_type: string | null;
  readonly file_name: string | null;
  /** After redirects. */
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

/** Fetches documents through the guard. */
export interface DownloadPort {
  /** By its text alone; sends nothing. */
  checkUrl(environment: Environment, url: string): Fault | null;
  download(
    environment: Environment,
    url: string,
    file: string,
    limits: DownloadLimits,
  ): Promise<Downloaded | { readonly fault: DownloadFault }>;
}
export const downloadPort = definePort<DownloadPort>("downloads");

/** `code` and `detail` are for people and hold no secret. */
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
  /** Default: `GET`. A `POST` only reads too, and may be sent twice. */
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
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

export interface SourceAccess {
  /** Any status is an answer; redirects are not followed. One request at a time to a host. Throws SourceFault. */
  send(request: SourceRequest): Promise<SourceAnswer>;
  /** In a read-only transaction, in batches. Throws SourceFault. */
  rows(
    target: DatabaseTarget,
    query: string,
    limits: { readonly batch: number; readonly timeoutMs: number; readonly signal: AbortSignal },
  ): AsyncIterable<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface SourcePort {
  readonly credentialKey: Buffer;
  /** Absolute folders below which connectors may read files; none: connectors of kind folder are off. */
  readonly folders: readonly string[];
  /** By its text alone; null: allowed. */
  checkUrl(environment: Environment, url: string): { readonly code: string; readonly detail: string } | null;
  open(environment: Environment): SourceAccess;
}
export const sourcePort = definePort<SourcePort>("sources of connectors");
