import { defineProblem } from "../../kernel/errors.ts";

export const logShorter = defineProblem({
  code: "log_shorter_than_asked",
  status: 409,
  title: "The log has fewer records than the head you hold",
  cause:
    "The size in `from` is larger than the log. Either it belongs to the log of another environment or installation, or the log has lost records since.",
  remedy:
    "Compare the first line of the checkpoint that you kept with the present one. If they name the same log, the kept checkpoint is the evidence that records are missing: keep it and tell whoever runs the service.",
  retryable: false,
});

export const auditIntegrity = defineProblem({
  code: "audit_integrity",
  status: 500,
  title: "The record in the database is not what was logged",
  cause:
    "The record's text does not have the hash that the log holds, or the search index says something else of it than its text. Somebody, or a fault, changed the database behind the service.",
  remedy:
    "Do not rely on the record. Keep the database as it is for whoever investigates, compare it with a backup or an earlier export, and tell whoever runs the service. Exports of the log fail until the record is restored.",
  retryable: false,
});

export const logStopped = defineProblem({
  code: "log_stopped",
  status: 503,
  title: "The audit log is not signed at present",
  cause:
    "What the database holds of the log is not what the service signed: records or the head were changed, the database was restored, or the key or the pinned heads are missing. The error names the reason. Calls are still recorded.",
  remedy:
    "Tell whoever runs the service: after finding the cause, they restore the database, or close this log and open another with `aos audit adopt --reason` on the host.",
  retryable: false,
});

export const notStopped = defineProblem({
  code: "log_not_stopped",
  status: 409,
  title: "The audit log is signed",
  cause: "A log is closed only while its signing is stopped.",
  remedy: "Nothing is to be done: proofs and checkpoints are to be had.",
  retryable: false,
});
