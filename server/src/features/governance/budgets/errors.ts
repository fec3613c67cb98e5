import { defineProblem } from "../../../kernel/errors.ts";

export const unknownBudgetScope = defineProblem({
  code: "unknown_budget_scope",
  status: 422,
  title: "The budget would cover nothing",
  cause: "What the path names does not exist, or cannot have a budget, so no call would count.",
  remedy:
    "Correct the name: `errors` suggests the closest one. To set a budget before its agent exists, send `allow_unknown: true`.",
  retryable: false,
});
