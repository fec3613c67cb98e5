import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleBudget } from "../example.ts";
import { Budget } from "../schemas.ts";
import { type LimitRow, listLimits } from "../store.ts";
import { budgetView, seenBy } from "../view.ts";

const scopeOf = (rows: readonly LimitRow[]): string => rows[0]?.scope ?? "";

export const listBudgets = defineList({
  id: "governance.listBudgets",
  path: "/v1/governance/budgets",
  listed: true,
  summary: "List budgets",
  description:
    "The budgets of this environment with what is used, reserved and left of each limit in its present window, and what will have been used at its end. A key that is narrowed to agents sees theirs, its own, and that of the environment.",
  item: Budget,
  example: { item: exampleBudget },
  permission: "governance:read",
  narrowing: limitedTo(
    "lists budgets that its calls are charged to: of the key's agents, key and member, and of the environment",
  ),
  compliance: governs("budget.read"),
  audit: "budgets",
  sort: "scope",
  read: (ctx, _filter, page) => listLimits(ctx, seenBy(ctx.principal), page),
  position: scopeOf,
  view: (rows) => budgetView(scopeOf(rows), rows),
});
