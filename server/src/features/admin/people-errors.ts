import { defineProblem } from "../../kernel/errors.ts";

export const emailNotChangeable = defineProblem({
  code: "email_not_changeable",
  status: 409,
  title: "The e-mail address cannot be changed here",
  cause:
    "Another member has the address, or the person also has a role in another environment. The address decides who signs in as this person there, and admins of this environment cannot decide that.",
  remedy:
    "Change it with an admin key of production (or of the highest environment in which the person has a role) whose owner and issuers are admins in all environments of the person. Or have admins there remove the person's role first and assign it again afterwards.",
  retryable: false,
});

export const lastAdmin = defineProblem({
  code: "last_admin",
  status: 409,
  title: "This is the last admin of the environment",
  cause:
    "Without this person, nobody would have a working admin key without limits on scopes or agents, so the environment could not be administered through the API.",
  remedy:
    "First make another person admin with PUT /v1/admin/members/{member} and issue an admin key for them with POST /v1/admin/keys; then change this one.",
  retryable: false,
});
