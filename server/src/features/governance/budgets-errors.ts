import { defineProblem } from "../../kernel/errors.ts";

export const unknownBudgetScope = defineProblem({
  code: "unknown_budget_scope",
  status: 422,
  title: "The budget would cover nothing",
  cause: "What the address names is not there, or is nothing that budgets are for, so that no call would be counted.",
  remedy:
    "Correct the name: `errors` names the nearest one. To set a budget before its agent exists, send `allow_unknown: true`.",
  retryable: false,
});
