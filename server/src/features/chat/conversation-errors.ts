import { defineProblem } from "../../kernel/errors.ts";

export const externalKeyInUse = defineProblem({
  code: "external_key_in_use",
  status: 409,
  title: "The external key belongs to another conversation",
  cause: "A conversation of this channel has the same `external_key`, with another agent or another user.",
  remedy: "Choose another `external_key`, or leave it out.",
  retryable: false,
});
