import { defineProblem } from "../../kernel/errors.ts";

export const lastAdmin = defineProblem({
  code: "last_admin",
  status: 409,
  title: "It is the last admin of the environment",
  cause:
    "Without this person nobody would be left with a working admin key in this environment that is not limited to scopes or agents, by which it can be administered over the API.",
  remedy:
    "Make another person admin and issue an admin key for them first, with PUT /v1/admin/members/{member} and POST /v1/admin/keys, then change this one.",
  retryable: false,
});
