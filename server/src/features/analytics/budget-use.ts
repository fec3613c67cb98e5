import type { ReadContext } from "../../kernel/context.ts";
import { microsOf, usdOfMicros } from "../../kernel/ledger.ts";
import { budgetsSeen } from "../governance/public.ts";
import type { BudgetSpend, BudgetUse } from "./figures-schemas.ts";
import { ledgerOfBudgets } from "./ledger-figures.ts";
import { namesOf } from "./names-store.ts";
import { mayRead } from "./quality-scope.ts";
import type { Filters } from "./rollup.ts";

/** From here on a limit counts as nearly used up. */
const near = 0.8;

/** How far limits are used up that the caller may read (`governance:read`) and sees. With agents as a filter: those of the agents and of the environment. */
export async function budgetUses(ctx: ReadContext, { agent }: Filters): Promise<BudgetUse[]> {
  if (!mayRead(ctx, "governance:read")) return [];
  const budgets = await budgetsSeen(ctx);
  const names = await namesOf(
    ctx,
    budgets.map(({ scope }) => scope),
  );
  const scopes = agent && new Set(["environment", ...agent.map((name) => `agent:${name}`)]);
  return budgets
    .filter(({ scope }) => scopes?.has(scope) ?? true)
    .flatMap(({ scope, limits }) =>
      limits.map(({ unit, period, used, hard, warn, forecast, state, window }) => {
        const limit = hard ?? warn ?? 0;
        const share = limit > 0 ? used / limit : null;
        const name = names.get(scope) ?? scope;
        return { scope, name, unit, period, used, limit, share, forecast, state, resets_at: window.to };
      }),
    );
}

/** The limits of money among these, with what was spent of them, and on what. */
export async function budgetSpends(ctx: ReadContext, uses: readonly BudgetUse[]): Promise<BudgetSpend[]> {
  const ofMoney = uses.filter(({ unit }) => unit === "usd");
  const sums = await ledgerOfBudgets(ctx, [...new Set(ofMoney.map(({ scope }) => scope))]);
  return ofMoney.map((use) => {
    const { tasks, outside } = sums.get(`${use.scope} ${use.period}`) ?? { tasks: 0, outside: 0 };
    const unlisted = Math.max(0, microsOf(use.used) - tasks - outside);
    // What was spent between the two looks is in both.
    const used = usdOfMicros(tasks + outside + unlisted);
    const share = use.limit > 0 ? used / use.limit : null;
    const parts = {
      tasks_usd: usdOfMicros(tasks),
      outside_usd: usdOfMicros(outside),
      unlisted_usd: usdOfMicros(unlisted),
    };
    return { ...use, used, share, ...parts };
  });
}

export const isNear = ({ share, state }: BudgetUse): boolean => state !== "ok" || (share ?? 1) >= near;
