import type { ReadContext } from "../../kernel/context.ts";
import { budgetsSeen } from "../governance/public.ts";
import type { BudgetUse } from "./figures-schemas.ts";
import { mayRead } from "./quality-scope.ts";
import type { Filters } from "./rollup.ts";

/** From here on a limit counts as nearly used up. */
const near = 0.8;

/** How far limits are used up that the caller may read (`governance:read`) and sees. With agents as a filter: those of the agents and of the environment. */
export async function budgetUses(ctx: ReadContext, { agent }: Filters): Promise<BudgetUse[]> {
  if (!mayRead(ctx, "governance:read")) return [];
  const budgets = await budgetsSeen(ctx);
  const scopes = agent && new Set(["environment", ...agent.map((name) => `agent:${name}`)]);
  return budgets
    .filter(({ scope }) => scopes?.has(scope) ?? true)
    .flatMap(({ scope, limits }) =>
      limits.map(({ unit, period, used, hard, warn, forecast, state, window }) => {
        const limit = hard ?? warn ?? 0;
        const share = limit > 0 ? used / limit : null;
        return { ...{ scope, unit, period, used, limit, share, forecast, state }, resets_at: window.to };
      }),
    );
}

export const isNear = ({ share, state }: BudgetUse): boolean => state !== "ok" || (share ?? 1) >= near;
