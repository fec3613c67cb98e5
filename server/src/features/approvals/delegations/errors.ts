import { defineProblem } from "../../../kernel/errors.ts";

export const notYourDelegation = defineProblem({
  code: "not_your_delegation",
  status: 403,
  title: "Another person's delegation",
  cause: "A delegation is removed by the person who is away, by the one who stands in, or by an admin.",
  remedy: "Ask one of them; `from` and `to` of the delegation name them.",
  retryable: false,
});
