import { defineProblem } from "../../kernel/errors.ts";

export const policyRetired = defineProblem({
  code: "policy_retired",
  status: 409,
  title: "The policy is retired",
  cause: "It was retired; its versions are kept for the audit and change no more.",
  remedy: "Create a new policy with the text that you want.",
  retryable: false,
});
