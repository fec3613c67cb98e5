import type { Decider } from "../../../kernel/actor.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { Scope } from "../../../kernel/principal.ts";

/** The job that parses and indexes a document. What is to be done is in the document's row. */
export const ingestJobName = "knowledge.ingest";

/** The largest file, in bytes: 100 MiB. */
export const largestFile = 100 * 1024 * 1024;
/** Attempts after which a document is given up. */
export const mostAttempts = 3;

export type Source = "text" | "file" | "url" | "connector";

/** What waits to be parsed and indexed. */
export interface Pending {
  /** `contents`: new contents take the place of the present ones. `chunks`: the present contents are cut into chunks again. */
  readonly what: "contents" | "chunks";
  /** The version that the document has once it is indexed. */
  readonly version: number;
  /** Null: the title is the one that the contents have, or else the file's name. */
  readonly title: string | null;
  readonly source: Source;
  readonly file_name: string | null;
  readonly media_type: string | null;
  readonly size: number | null;
  /** SHA-256 of the bytes, in hexadecimal; null: they are still to be fetched. */
  readonly file_digest: string | null;
  readonly url: string | null;
  readonly digest: string | null;
  readonly author: string;
  readonly deciders: readonly Decider[];
  /** The document's attempts before; those since then count. */
  readonly after: number;
  /** Errors of the service in a row, of which none counts as an attempt, and the last of them. */
  readonly faults?: number;
  readonly fault?: string;
}

/** Why a document failed. */
export interface IngestFault {
  readonly code: string;
  readonly detail: string;
}

/** Wakes a worker for a document. */
export function ingestJob({ organization, environment }: Scope, document: string): JobSpec {
  return { task: ingestJobName, payload: { organization, environment, document }, key: document };
}

/** The job that builds the next generation of a base. What is to be done is in the base's row. */
export const reindexJobName = "knowledge.reindex";

/** Wakes a worker for the next generation of a base. */
export function reindexJob({ organization, environment }: Scope, base: string): JobSpec {
  return { task: reindexJobName, payload: { organization, environment, base }, key: `${reindexJobName} ${base}` };
}

/** Of a file with rows: its records, and what the last reading changed. */
export interface RowCounts {
  readonly records: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** A file's name without its ending, as a title. */
export const titleOfFile = (name: string | null): string =>
  (name ?? "").replace(/\.[A-Za-z0-9]{1,8}$/, "").slice(0, 500);
