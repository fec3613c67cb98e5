import { type Arrangements, nothing } from "./arranged.ts";

// Budgets.

export const arrange: Arrangements = {
  "governance.listBudgets": nothing,
  // Of somebody who makes no calls: what budgets that cover calls write by the clock would be taken for what those calls do.
  "governance.setBudget": async (app, environment) => ({
    params: { scope: `member:${(await app.member("viewer", environment)).memberId}` },
    body: { limits: [{ unit: "tasks", period: "day", hard: 1_000_000 }] },
  }),
  "governance.readBudget": async (app, environment) => ({
    params: { scope: `member:${(await app.member("viewer", environment)).memberId}` },
  }),
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "governance.readBudget": "members belong to the organization; the budget is of the environment of the call",
  "governance.setBudget": "members belong to the organization; the budget is of the environment of the call",
};
