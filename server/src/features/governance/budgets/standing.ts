import type { CallContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { BudgetStanding } from "../../agents/public.ts";
import { readLimits } from "./store.ts";
import { budgetView } from "./view.ts";

/** How the limits of these budgets stand. */
export async function budgetStandings(
  ctx: Pick<CallContext, "scope"> & { readonly db: Statements },
  scopes: readonly string[],
): Promise<BudgetStanding[]> {
  const found: BudgetStanding[] = [];
  for (const scope of scopes) {
    const { limits } = budgetView(scope, await readLimits(ctx, scope));
    found.push(...limits.map(({ unit, period, state }) => ({ scope, unit, period, state })));
  }
  return found;
}
