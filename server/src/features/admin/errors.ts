import { defineProblem } from "../../kernel/errors.ts";

export const grantsTooMuch = defineProblem({
  code: "grants_too_much",
  status: 403,
  title: "The new key would grant more than the one that issues it",
  cause:
    "A key never grants more than its creator has: role, scopes, agents, expiry, networks and rate of the new key must stay within those of the key that issues it.",
  remedy:
    "Narrow the new key at the places that `errors` names, or issue it with a key that has more, or on the host with `aos keys create`.",
  retryable: false,
});

export const lastAdminKey = defineProblem({
  code: "last_admin_key",
  status: 409,
  title: "It is the last admin key of the environment",
  cause:
    "Without this key no admin key would be left in this environment that is not limited to scopes or agents, so nobody could issue such a key or give a role over the API.",
  remedy:
    "Issue another admin key first with POST /v1/admin/keys, or on the host with `aos keys create --role admin`, then revoke this one.",
  retryable: false,
});
