import { defineProblem } from "../../kernel/errors.ts";

export const noVersion = defineProblem({
  code: "no_version",
  status: 409,
  title: "The agent has no such version",
  cause: "What was asked for is about a version, and the agent has none yet, or none of the number that was given.",
  remedy: "Freeze the draft as a version (`POST /v1/agents/{agent}/versions`), or name one that there is.",
  retryable: false,
});
