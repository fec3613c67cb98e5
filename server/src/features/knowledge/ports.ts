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
