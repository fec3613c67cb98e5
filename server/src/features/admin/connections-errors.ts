import { defineProblem } from "../../kernel/errors.ts";

export const connectionExists = defineProblem({
  code: "connection_exists",
  status: 409,
  title: "There is a connection of this name",
  cause: "Names of connections are given once in an environment, and agents refer to them by name.",
  remedy: "Choose another name, or send `replace: true` to put this one in its place, such as to renew its secret.",
  retryable: false,
});

export const connectionInUse = defineProblem({
  code: "connection_in_use",
  status: 409,
  title: "The connection is in use",
  cause: "A version that is live in this environment names the connection; without it, its model or tool would fail.",
  remedy:
    "Deploy a version that does not name it, replace its secret with POST /v1/admin/connections, or remove it with `force=true`; `used_by` says where.",
  retryable: false,
});
