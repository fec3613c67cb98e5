import { defineProblem } from "../../kernel/errors.ts";

export const scheduleNotPossible = defineProblem({
  code: "schedule_not_possible",
  status: 409,
  title: "The schedule is not possible here",
  cause:
    "It names a service account that has no role in this environment or may do more than the caller, the scopes of the caller's key do not include `tasks:write`, or the agent has 50 schedules here already.",
  remedy: "Correct what `errors` names, or remove a schedule that is not needed, then call again.",
  retryable: false,
});

export const scheduleNotPermitted = defineProblem({
  code: "schedule_not_permitted",
  status: 403,
  title: "The schedule's account may not dispatch tasks",
  cause: "The member or service account that a schedule acts as was removed, or its role here lacks `tasks:write`.",
  remedy: "Give the account a role that may dispatch tasks, or let the schedule act as another one.",
  retryable: false,
});

export const scheduleBudgetSpent = defineProblem({
  code: "schedule_budget_spent",
  status: 409,
  title: "The schedule's budget of the month is used up",
  cause: "What its tasks of this calendar month have cost, and what those under way may still cost, reaches its limit.",
  remedy: "Raise `budget.per_month_usd` of the schedule, or wait for the next month.",
  retryable: true,
});
