import { all } from "../../../db/scoped.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { budgetFacts } from "./facts.ts";
import type { BudgetPeriod, BudgetUnit } from "./model.ts";
import { limitsUsedUp } from "./store.ts";

/** A limit of a budget whose present window is used up. */
export interface ExhaustedBudget {
  readonly scope: string;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  /** When it was used up; null: not noted. */
  readonly since: Date | null;
}

/** The limits of the environment that are used up now. Without a hard limit it asks the database nothing. */
export async function exhaustedBudgets(
  ctx: Pick<CallContext, "scope" | "facts"> & { readonly db: Statements },
): Promise<readonly ExhaustedBudget[]> {
  const { organization, environment } = ctx.scope;
  const limited = ctx.facts
    .get(budgetFacts)
    .limits.some(
      (limit) => limit.organization === organization && limit.environment === environment && limit.hard !== null,
    );
  return limited ? all(ctx, limitsUsedUp(ctx)) : [];
}

const spans: Readonly<Record<BudgetPeriod, string>> = {
  hour: "this hour",
  day: "today",
  month: "this month",
  total: "in total",
};
const units: Readonly<Record<BudgetUnit, string>> = { usd: "money", tokens: "tokens", tasks: "tasks", steps: "steps" };

/** What is used up, in a sentence. */
export const exhaustedText = ({ scope, unit, period }: ExhaustedBudget): string =>
  `The budget ${scope} has no ${units[unit]} left ${spans[period]}.`;
