import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleBudget } from "../example.ts";
import { parseBudgetScope } from "../rules.ts";
import { Budget, BudgetScopeName } from "../schemas.ts";
import { readLimits, scopeExists } from "../store.ts";
import { budgetRevision, budgetView, seenBy } from "../view.ts";

export const readBudget = defineRead({
  id: "governance.readBudget",
  path: "/v1/governance/budgets/{scope}",
  summary: "Read a budget",
  description:
    "Its limits with what is used, reserved and left in their present windows; without limits where none was set. Its ETag is that of the limits.",
  params: Type.Object({ scope: BudgetScopeName }),
  output: Budget,
  example: { params: { scope: exampleBudget.scope }, output: exampleBudget },
  revision: budgetRevision,
  revisionOfPart: true,
  permission: "governance:read",
  load: (ctx, { scope }) => present(ctx, scope),
  narrowing: byObject(
    "budgets that its calls are charged to: of the key's agents, key and member, and of the environment",
    ({ principal }, { params }: { params: { scope: string } }) =>
      seenBy(principal)?.includes(params.scope) ? principal.agents : null,
  ),
  compliance: governs("budget.read"),
  audit: ({ params }) => `budget:${params.scope}`,
  handle: (_ctx, { loaded }) => loaded,
});

async function present(ctx: ReadContext, text: string): Promise<Budget | undefined> {
  const scope = parseBudgetScope(text);
  if (!scope) return undefined;
  const limits = await readLimits(ctx, text);
  return limits.length > 0 || (await scopeExists(ctx, scope)) ? budgetView(text, limits) : undefined;
}
