import { defineProblem } from "../../kernel/errors.ts";

export const noVersion = defineProblem({
  code: "no_version",
  status: 409,
  title: "The agent has no such version",
  cause: "The agent has no versions yet, or none with the given number.",
  remedy: "Freeze the draft as a version (`POST /v1/agents/{agent}/versions`), or name an existing one.",
  retryable: false,
});
