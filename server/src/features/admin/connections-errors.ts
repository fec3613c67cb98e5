import { defineProblem } from "../../kernel/errors.ts";

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
