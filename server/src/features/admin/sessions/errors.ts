import { defineProblem } from "../../../kernel/errors.ts";

export const noRoleHere = defineProblem({
  code: "no_role_here",
  status: 403,
  title: "You have no role in this environment",
  cause: "The sign-in proved who you are, and this person has no role in the environment that was chosen.",
  remedy: "Choose an environment in which you have a role, or ask one of its admins to give you one with PUT /v1/admin/members/{member}.",
  retryable: false,
});
