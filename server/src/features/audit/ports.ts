import type { Scope } from "../../kernel/principal.ts";

/** The members of a record that hold commitments. */
export interface Commitments {
  readonly address: string | null;
  readonly request: string | null;
  readonly response: string | null;
}

/** What became of the wish for a proof. */
export type ProofResult =
  /** C2SP tlog-proof; its `extra` line holds the leaf data. */
  | { readonly state: "proved"; readonly text: string }
  /** The sequencer has not reached the record within two seconds. */
  | { readonly state: "waiting" }
  /** The record is not there, or its text is no longer kept. */
  | { readonly state: "absent" };

/** Which checkpoint is wanted: the newest head unless told. */
export interface CheckpointWanted {
  /** With the proof that the head of so many records is contained. */
  readonly from?: number;
  /** The newest head that a witness cosigned, where there is one. */
  readonly cosigned?: boolean;
}

/** What became of the wish for a checkpoint. */
export type CheckpointResult =
  /** `consistency`: the proof from the size that was asked for, as base64 hashes in the order of RFC 6962, section 2.1.2; null when none was. */
  | { readonly state: "signed"; readonly checkpoint: string; readonly consistency: readonly string[] | null }
  /** The log has not that many records. */
  | { readonly state: "beyond"; readonly size: number };

/** What this slice needs of the log's machine. `app.ts` joins them. */
export interface AuditPort {
  /** The log's public key as a verifier key (C2SP signed-note), under which its proofs and checkpoints verify. */
  logKey(scope: Scope): string;
  /** The exact text of a leaf: the record's canonical JSON with its number among those of its key. */
  leafData(body: string, keySeq: number | null): string;
  /** What opens a record's commitments, in hexadecimal by member, for those that it carries. */
  openings(salt: Uint8Array, record: Commitments & { readonly id: string }): Partial<Record<keyof Commitments, string>>;
  /** The proof of one record; waits up to two seconds for the sequencer. */
  proof(scope: Scope, auditRef: string): Promise<ProofResult>;
  /** The newest signed head of the log; of an empty log too. */
  checkpoint(scope: Scope, wanted: CheckpointWanted): Promise<CheckpointResult>;
}

/** What a log held at some moment. */
export interface LogHead {
  /** The log's name, which is also the name of its key. */
  readonly origin: string;
  /** How many records. */
  readonly size: number;
  /** The root hash over them, in base64. */
  readonly root: string;
}

/** What the manifest of an export says; `ExportManifest` of `@aos/proof` describes the members. */
export interface ManifestToSign {
  readonly export: string;
  readonly format: "jsonl" | "csv" | "ocsf";
  readonly schema_version: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Name of the log, and of the key that signs. */
  readonly origin: string;
  readonly tree_size: number;
  readonly root: string;
}

/** What exports need of the log's machine. */
export interface ExportPort {
  /** The log's public key as a verifier key (C2SP signed-note), under which manifests verify. */
  logKey(scope: Scope): string;
  /** The exact text of a leaf: the record's canonical JSON with its number among those of its key. */
  leafData(body: string, keySeq: number | null): string;
  /**
   * The head of the log: the newest, or that which it had with `size` records. An empty log has one too. Throws where the log has fewer
   * records than `size`.
   */
  head(scope: Scope, size?: number): Promise<LogHead>;
  /** The manifest as a signed note (C2SP signed-note) under the key of the log that it names. */
  sign(manifest: ManifestToSign): Promise<string>;
}
