import { defineProblem } from "../../kernel/errors.ts";

export const logShorter = defineProblem({
  code: "log_shorter_than_requested",
  status: 409,
  title: "The log is shorter than your checkpoint",
  cause:
    "`from` is larger than the log. It belongs to the log of another environment or installation, or the log has lost records since.",
  remedy:
    "Compare the first line of your checkpoint with that of the current one. If they name the same log, your checkpoint proves that records are missing: keep it and inform the operator.",
  retryable: false,
});

export const auditIntegrity = defineProblem({
  code: "audit_integrity",
  status: 500,
  title: "The stored record does not match the log",
  cause:
    "The record's text does not match its hash in the log, the search index contradicts the text, or the salt of its commitments was changed, or is missing without the record of an erasure. The database was changed outside the service, or is damaged.",
  remedy:
    "Do not rely on the record. Preserve the database for investigation, compare it with a backup or an earlier export, and inform the operator. Exports of the log fail until the record is restored.",
  retryable: false,
});

export const logStopped = defineProblem({
  code: "log_stopped",
  status: 503,
  title: "The audit log is not being signed",
  cause:
    "The log in the database does not match what the service signed: records or the head were changed, the database was restored, or the key or the pinned heads are missing. `detail` names the reason. Calls are still recorded.",
  remedy:
    "Inform the operator: after finding the cause, they restore the database, or close this log and open another with `aos audit adopt --reason` on the host.",
  retryable: false,
});

export const notStopped = defineProblem({
  code: "log_not_stopped",
  status: 409,
  title: "The audit log is being signed",
  cause: "A log can be closed only while its signing is stopped.",
  remedy: "No action is needed: proofs and checkpoints are available.",
  retryable: false,
});

export const exportNotReady = defineProblem({
  code: "export_not_ready",
  status: 409,
  title: "The export is not finished",
  cause: "The file was requested while it was still being written.",
  remedy:
    "Read the export as JSON until its state is `completed`, or wait for the event `audit.export_ready`; then request the file.",
  retryable: true,
});

export const exportFailed = defineProblem({
  code: "export_failed",
  status: 409,
  title: "The export failed and has no file",
  cause: "The file could not be written, or a record does not match the log; `failure` of the export says which.",
  remedy:
    "Read `failure`. If a record does not match the log, the database was changed outside the service: preserve it for investigation and compare it with a backup. Otherwise start the export again; if it fails again, report its id.",
  retryable: false,
});

export const tooManySinks = defineProblem({
  code: "too_many_sinks",
  status: 409,
  title: "Too many audit sinks",
  cause: "The number of sinks in an environment is limited, because each reads the whole log.",
  remedy: "Remove sinks that you no longer need, or let one receiver pass records on to others.",
  retryable: false,
});
