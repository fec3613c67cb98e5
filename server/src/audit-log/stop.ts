/** Why a log is not signed any more. `remedy` is for the operator. */
export const stopReasons = {
  record_forged: "A record that waits for its place in the log was not written by this service, or was changed since.",
  record_replayed:
    "A record that already stands in the log, or of which a row of audit_leaves says so, waits for a place again.",
  head_missing: "The database has no head for a log that had one.",
  head_went_back:
    "The head in the database is older than one that was signed before: the database was restored, or records were cut off.",
  head_forked: "The head in the database does not extend the one that was signed before.",
  head_forged: "The head in the database was not written by this service, or was changed since.",
  other_origin: "The log in the database has another name than the one that this process knows.",
  pins_missing:
    "AOS_DATA_DIR/audit knows nothing of this log, which is not empty: nothing tells whether its newest records are there.",
  key_missing: "The database no longer holds the key that signs the log.",
  key_changed: "The key that signs the log is not the one that it was signed with before.",
  witness_conflict:
    "A witness that cosigned an earlier head refuses the newest one: the log was set back, or is not an extension of it.",
  tiles_damaged: "The hash tiles in the database do not lead to the signed root.",
} as const;

export type StopReason = keyof typeof stopReasons;

/** What to do about any of them. */
export const stopRemedy =
  'Calls are still recorded. Compare with a checkpoint that you kept, find out who changed the database, and restore it, or close this log and open another: aos audit adopt --reason "…" (docs/operations/backup-and-restore.md).';

/** Signing of a log stops. */
export class LogStopped extends Error {
  readonly reason: StopReason;
  readonly detail: string;
  constructor(reason: StopReason, detail = "") {
    super(`${stopReasons[reason]}${detail === "" ? "" : ` ${detail}`}`);
    this.name = "LogStopped";
    this.reason = reason;
    this.detail = this.message;
  }
}
