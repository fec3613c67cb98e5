import type { ExportManifest } from "@aos/proof";
import type { Writer } from "../../kernel/db.ts";
import { definePort } from "../../kernel/port.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { LogName } from "./log/logs.ts";

export interface Commitments {
  readonly address: string | null;
  readonly request: string | null;
  readonly response: string | null;
}

/** The log is not signed at present. */
export interface LogStoppedResult {
  readonly state: "stopped";
  readonly reason: string;
  readonly detail: string;
  readonly remedy: string;
}

/** An origin that was closed, and the one that was opened in its place. */
export interface LogAdoption {
  readonly reason: string;
  readonly detail: string;
  /** The head in the database, and the newest that this host had saved, each as origin, size and root in base64. */
  readonly found: string;
  readonly pinned: string;
  readonly opened: string;
  /** Waiting rows that the service had not written: they never come into the log. */
  readonly refused: readonly string[];
  /** The new origin's first head, of an empty tree; to be pinned once the adoption is committed. */
  readonly checkpoint: string;
}

export type ProofResult =
  | LogStoppedResult
  /** C2SP tlog-proof; its `extra` line holds the leaf data. */
  | { readonly state: "proved"; readonly text: string }
  /** The sequencer has not reached the record within two seconds. */
  | { readonly state: "waiting" }
  /** The record is not there, or its text is no longer kept. */
  | { readonly state: "absent" };

/** Which checkpoint is wanted; default: the newest head. */
export interface CheckpointWanted {
  /** With the proof that the head of so many records is contained. */
  readonly from?: number;
  readonly cosigned?: boolean;
}

export type CheckpointResult =
  | LogStoppedResult
  /** `consistency`: the proof from the size that was asked for, as base64 hashes in the order of RFC 6962, section 2.1.2; null when none was. */
  | { readonly state: "signed"; readonly checkpoint: string; readonly consistency: readonly string[] | null }
  /** The log has not that many records. */
  | { readonly state: "beyond"; readonly size: number };

/** A record's row with what authenticates it, and the salt that it refers to. */
export interface SaltedRecord {
  readonly id: string;
  readonly body: string;
  /** Null: written before this was noted. */
  readonly salt_id: string | null;
  readonly writer: string | null;
  readonly number: string | null;
  readonly mac: Buffer | null;
  /** Null: the database has no salt with this id. */
  readonly salt: Buffer | null;
  /** Whether its log was closed by an adoption, perhaps because the key of its MAC was lost. */
  readonly closed: boolean;
}

/** `exchanged`: the salt, or the record's reference to it, was changed. `unknown`: too old, or of a closed log whose key was lost. */
export type SaltState = "kept" | "missing" | "exchanged" | "unknown";

/** Tells salts that were erased from those that were tampered with. */
export interface SaltPort {
  wrote(log: LogName, record: Omit<SaltedRecord, "salt" | "closed">): boolean;
  saltState(log: LogName, record: SaltedRecord): SaltState;
}

export interface AuditPort extends SaltPort {
  /** The log's public key as a verifier key (C2SP signed-note), under which its proofs and checkpoints verify. */
  logKey(log: LogName): string;
  /** The exact text of a leaf: the record's canonical JSON with its number among those of its key. */
  leafData(body: string, keySeq: number | null): string;
  /** What opens a record's commitments, in hexadecimal by member, for those that it carries. */
  openings(salt: Uint8Array, record: Commitments & { readonly id: string }): Partial<Record<keyof Commitments, string>>;
  /** The proof of one record; waits up to two seconds for the sequencer. */
  proof(log: LogName, auditRef: string): Promise<ProofResult>;
  checkpoint(log: LogName, wanted: CheckpointWanted): Promise<CheckpointResult>;
  /** Closes the origin of a stopped log and opens another, whose first leaf is the record `id`. Null: the log is not stopped. */
  adopt(db: Writer, scope: Scope, adoption: { readonly id: string; readonly now: number }): Promise<LogAdoption | null>;
  /** Has this host know a log by that head alone. */
  pin(scope: Scope, checkpoint: string): Promise<void>;
}
export const auditPort = definePort<AuditPort>("audit log");

export interface LogHead {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

/** The database no longer holds what was logged. The message says what was found, for people. */
export class LogAltered extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LogAltered";
  }
}

export interface ExportPort extends SaltPort {
  /** The log's public key as a verifier key (C2SP signed-note), under which manifests verify. */
  logKey(scope: Scope): string;
  size(scope: Scope): Promise<number>;
  /**
   * The head of the log with its first `size` records. It follows from a head that was signed by this service's key. Throws LogAltered where it does not, and where the log
   * is shorter.
   */
  head(scope: Scope, size: number): Promise<LogHead>;
  /** The hashes of leaves `from` up to, without, `end`, as the log's tiles have them. Throws LogAltered where one is missing. */
  leafHashes(scope: Scope, from: number, end: number): Promise<readonly Uint8Array[]>;
  /** The hashes of the complete subtrees of the first `end` leaves. Throws LogAltered where a tile is missing. */
  subtrees(scope: Scope, end: number): Promise<readonly Uint8Array[]>;
  /** The manifest as a signed note (C2SP signed-note) under the key of the log that it names. */
  sign(manifest: ExportManifest): Promise<string>;
}
export const exportPort = definePort<ExportPort>("exports of the audit log");

/** Why a receiver did not acknowledge what was sent. `code` and `detail` are for people and hold no secret. */
export class SinkFault extends Error {
  override readonly name = "SinkFault";
  readonly code: string;
  readonly detail: string;
  /** Seconds after which the receiver asks to be tried again; null: it does not say. */
  readonly retryAfter: number | null;
  constructor(
    code: string,
    detail: string,
    { retryAfter = null, cause }: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

export interface SinkRequest {
  readonly url: string;
  readonly method: "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface SinkAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB of it. */
  readonly body: string;
}

/** A server that is spoken to by TLS. */
export interface TlsEndpoint {
  readonly host: string;
  readonly port: number;
  /** This side's certificate and its key, in PEM; null: none is shown. */
  readonly certificate: { readonly certificate: string; readonly private_key: string } | null;
}

/** The way out to one receiver. Both methods throw SinkFault, and the reason of a signal that is aborted. */
export interface SinkAccess {
  /** Every status is an answer; redirects are not followed. */
  send(request: SinkRequest): Promise<SinkAnswer>;
  /** Writes all bytes, ends the connection, and resolves when the server has read to its end and closed it as well. */
  write(endpoint: TlsEndpoint, data: Uint8Array, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Connections to the receivers of audit sinks, through the guard. */
export interface SinkPort {
  /** Seals credentials. */
  readonly credentialKey: Buffer;
  /** Why an address must not be called, by its text alone; null: it may. */
  checkUrl(environment: Environment, url: string): { readonly code: string; readonly detail: string } | null;
  /** `ca`: certificates of authorities to trust instead of the well-known ones, in PEM. */
  open(environment: Environment, ca: string | undefined): SinkAccess;
}
export const sinkPort = definePort<SinkPort>("audit sinks");
