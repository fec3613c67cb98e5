import { defineProblem, type Refusal, refuse } from "../../kernel/errors.ts";

export const grantsTooMuch = defineProblem({
  code: "grants_too_much",
  status: 403,
  title: "The new key would grant more than the key that issues it",
  cause:
    "The role, scopes, agents, expiry, addresses and rate of a new key must stay within those of the key that issues it.",
  remedy:
    "Narrow the new key where `errors` says, issue it with a key that grants more, or use `aos keys create` on the host.",
  retryable: false,
});

export const lastAdminKey = defineProblem({
  code: "last_admin_key",
  status: 409,
  title: "This is the last admin key of the environment",
  cause:
    "Without it, no admin key without limits on scopes or agents would remain in this environment, so nobody could issue such a key or assign roles through the API.",
  remedy:
    "First issue another admin key with POST /v1/admin/keys, or with `aos keys create --role admin` on the host; then revoke this one.",
  retryable: false,
});

export const replacementNotPossible = defineProblem({
  code: "replacement_not_possible",
  status: 409,
  title: "The key cannot take the other's place",
  cause:
    "`replaced_by` names a key that does not work, acts for another member or is of another environment, or the key that it should replace was revoked before.",
  remedy:
    "Issue a key for the same member first and name that one. Of a key that was revoked before, take over what stopped with it: POST /v1/governance/take-overs.",
  retryable: false,
});

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

export const connectionExists = defineProblem({
  code: "connection_exists",
  status: 409,
  title: "A connection with this name exists",
  cause: "Names of connections are unique in an environment, because agents refer to them by name.",
  remedy: "Choose another name, or send `replace: true` to replace the existing one, for example to renew its secret.",
  retryable: false,
});

export const connectionInUse = defineProblem({
  code: "connection_in_use",
  status: 409,
  title: "The connection is in use",
  cause: "A version that is live in this environment uses the connection; without it, its model or tool would fail.",
  remedy:
    "Deploy a version that does not use it, replace its secret with POST /v1/admin/connections, or remove it with `force=true`. `used_by` lists the users.",
  retryable: false,
});

/** `subject`: such as "It is" or "The account holds". */
export function refuseLastKey(subject: string, environment: string): Refusal {
  const remedy = `issue another one first, or run \`aos keys create --environment ${environment} --role admin\` on the host`;
  return refuse(
    lastAdminKey,
    `${subject} the last admin key in ${environment} that is not limited to scopes or agents: ${remedy}.`,
  );
}
