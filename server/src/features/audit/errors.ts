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
