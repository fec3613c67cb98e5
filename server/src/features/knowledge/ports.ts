import type { Environment } from "../../kernel/principal.ts";

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
