import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { seenBy } from "../budgets/scope.ts";
import { budgetView } from "../budgets/view.ts";
import { exampleBudget } from "../budgets-example.ts";
import { Budget } from "../budgets-schemas.ts";
import { type LimitRow, listLimits } from "../budgets-store.ts";

export const listBudgets = defineRead({
  id: "governance.listBudgets",
  path: "/v1/governance/budgets",
  listed: true,
  summary: "List budgets",
  description:
    "The budgets of this environment with what is used, reserved and left of each limit in its present window, and what will have been used at its end. A key that is narrowed to agents sees theirs, its own, and that of the environment.",
  query: listQuery({}),
  output: pageSchema(Budget),
  example: { output: { data: [exampleBudget], has_more: false, next_cursor: null } },
  permission: "governance:read",
  load: exempt("names no object; the list holds the budgets of the environment"),
  narrowing: limitedTo(
    "lists budgets that its calls are charged to: of the key's agents, key and member, and of the environment",
  ),
  compliance: governs("budget.read"),
  audit: "budgets",
  handle(ctx, { query }) {
    return listPage(
      ctx,
      query,
      {},
      {
        sort: "scope",
        read: (page) => listLimits(ctx, seenBy(ctx.principal), page),
        positionOf: (rows) => ({ keys: [], id: scopeOf(rows) }),
        item: (rows) => budgetView(scopeOf(rows), rows),
      },
    );
  },
});

const scopeOf = (rows: readonly LimitRow[]): string => rows[0]?.scope ?? "";
