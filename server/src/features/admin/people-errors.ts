import { defineProblem } from "../../kernel/errors.ts";

export const emailNotChangeable = defineProblem({
  code: "email_not_changeable",
  status: 409,
  title: "The e-mail address cannot be changed like this",
  cause:
    "Another member has the address, or the person has a role in another environment too: an address decides who signs in as the person there, and admins of this environment do not decide that.",
  remedy:
    "Change it with an admin key of production (or of the last environment on the way there in which the person has a role), whose owner and issuers are admins in all environments in which the person has a role; or have admins there take that role away first, and give it again afterwards.",
  retryable: false,
});

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
