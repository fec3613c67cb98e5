import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import type { RunLimits } from "../../kernel/verdict.ts";
import type { Work } from "../tasks/public.ts";
import { scheduleBudgetSpent } from "./errors.ts";
import { spentBy } from "./store.ts";
import type { ScheduleRow } from "./view.ts";

/** Less than a millionth of a dollar, in which money is counted: sums of prices are not exact. */
const least = 5e-7;

/** What the schedule's budget lets the next task cost; null: no limit. Throws `schedule_budget_spent`. The schedule's row is locked. */
export async function limitsOfRun(
  ctx: WriteContext,
  { id, definition: { budget } }: Pick<ScheduleRow, "id" | "definition">,
  { skill }: Work,
): Promise<RunLimits | null> {
  const { per_run_usd: perRun, per_month_usd: perMonth } = budget ?? {};
  if (perMonth === undefined) return perRun === undefined ? null : { cost_usd: perRun };
  const most = Math.min(perRun ?? perMonth, skill.definition.limits?.cost_usd ?? perMonth);
  const { used, open } = await spentBy(ctx, id, most);
  const left = perMonth - used - open;
  if (left < least) {
    const said = `$${amount(used)} is used this month and $${amount(open)} reserved by tasks that are not over`;
    throw refuse(scheduleBudgetSpent, `The limit of the month is $${perMonth}; ${said}.`);
  }
  return { cost_usd: Math.min(left, perRun ?? left) };
}

const amount = (usd: number): number => Number(usd.toFixed(6));
