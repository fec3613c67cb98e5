import { defineProblem } from "../../kernel/errors.ts";

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
