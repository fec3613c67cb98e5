import { defineProblem } from "../../../kernel/errors.ts";

export const policyRetired = defineProblem({
  code: "policy_retired",
  status: 409,
  title: "The policy is retired",
  cause: "The policy was retired; its versions are kept for the audit and cannot be changed.",
  remedy: "Create a new policy.",
  retryable: false,
});
