import type { Decider } from "../../../kernel/actor.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { Scope } from "../../../kernel/principal.ts";

export const ingestJobName = "knowledge.ingest";

/** 100 MiB. */
export const largestFile = 100 * 1024 * 1024;
export const mostAttempts = 3;

export type Source = "text" | "file" | "url" | "connector";

export interface Pending {
  /** `contents`: new contents take the place of the present ones. `chunks`: the present contents are cut into chunks again. */
  readonly what: "contents" | "chunks";
  readonly version: number;
  /** Null: that of the contents, or the file's name. */
  readonly title: string | null;
  readonly source: Source;
  readonly file_name: string | null;
  readonly media_type: string | null;
  readonly size: number | null;
  /** SHA-256 (hex); null: not fetched yet. */
  readonly file_digest: string | null;
  readonly url: string | null;
  readonly digest: string | null;
  readonly author: string;
  readonly deciders: readonly Decider[];
  /** Earlier attempts, which do not count. */
  readonly after: number;
  /** Errors of the service in a row, of which none counts as an attempt, and the last of them. */
  readonly faults?: number;
  readonly fault?: string;
}

export interface IngestFault {
  readonly code: string;
  readonly detail: string;
}

export function ingestJob({ organization, environment }: Scope, document: string): JobSpec {
  return { task: ingestJobName, payload: { organization, environment, document }, key: document };
}

export const reindexJobName = "knowledge.reindex";

export function reindexJob({ organization, environment }: Scope, base: string): JobSpec {
  return { task: reindexJobName, payload: { organization, environment, base }, key: `${reindexJobName} ${base}` };
}

export interface RowCounts {
  readonly records: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly removed: number;
}

export const titleOfFile = (name: string | null): string =>
  (name ?? "").replace(/\.[A-Za-z0-9]{1,8}$/, "").slice(0, 500);
