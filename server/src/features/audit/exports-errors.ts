import { defineProblem } from "../../kernel/errors.ts";

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
