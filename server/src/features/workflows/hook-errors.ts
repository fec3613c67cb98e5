import { defineProblem } from "../../kernel/errors.ts";

export const hookExists = defineProblem({
  code: "hook_exists",
  status: 409,
  title: "A hook with this name exists",
  cause: "Names of inbound hooks are unique in an environment.",
  remedy: "Choose another name, or give the hook that exists a new secret (POST /v1/hooks/{hook}/rotate-secret).",
  retryable: false,
});

export const tooManyHooks = defineProblem({
  code: "too_many_hooks",
  status: 409,
  title: "Too many inbound hooks",
  cause: "The number of inbound hooks in an environment is limited.",
  remedy: "Remove hooks that you no longer need, or let several services share one with events of different types.",
  retryable: false,
});
