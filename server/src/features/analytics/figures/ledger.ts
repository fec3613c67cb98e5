import type { ReadContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { microsOf, usdOfMicros } from "../../../kernel/ledger.ts";
import { budgetsSeen } from "../../governance/public.ts";
import { budgetRows, ledgerEntryRows } from "../../governance/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { agentsIn, labelIn, mayRead, scopeOf, skillIn } from "../quality/scope.ts";
import { namesOf } from "../rollups/names-store.ts";
import type { Filters } from "../rollups/rollup.ts";
import type { BudgetSpend, BudgetUse } from "./schemas.ts";
import type { FigureWindow } from "./window.ts";

// Sums over the ledger, in whole millionths of a US dollar until they are returned.

export interface OutsideRow {
  readonly operation: string;
  readonly spent: number;
  readonly entries: number;
}

interface Sums {
  /** Of tasks that were dispatched in the window, until now. */
  readonly dispatched: number;
  /** Of those, after the window. */
  readonly later: number;
  /** In the window, of tasks that were dispatched before it. */
  readonly earlier: number;
}

const ofTasks = `
  select coalesce(sum(e.spent) filter (where e.task_id >= $6), 0)::bigint as dispatched,
    coalesce(sum(e.spent) filter (where e.task_id >= $6 and e.at >= $5), 0)::bigint as later,
    coalesce(sum(e.spent) filter (where e.task_id < $6 and e.at < $5), 0)::bigint as earlier
  from ${ledgerEntryRows} e
  where e.organization = $1 and e.environment = $2 and e.spent > 0 and e.task_id < $7 and e.at >= $4 and ($3::text[] is null or e.agent = any($3))
    and ($8::text is null and $9::text is null or exists (select from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.id = e.task_id
      and ($8::text is null or t.skill = $8) and ($9::text is null or $9 = any(t.labels))))`;

const outsideOfTasks = `
  select e.operation, sum(e.spent)::bigint as spent, count(*)::int as entries from ${ledgerEntryRows} e
  where e.organization = $1 and e.environment = $2 and e.spent > 0 and e.task_id is null and e.at >= $4 and e.at < $5
    and ($3::text[] is null or e.agent = any($3)) and $6::text is null and $7::text is null
  group by 1 order by 2 desc, 1`;

const times = ({ from, to }: Pick<FigureWindow, "from" | "to">): [Date, Date] => [new Date(from), new Date(to)];

/** What was spent outside of tasks in the window. With a skill or a label as a filter nothing: only tasks have these. */
export const spentOutside = (ctx: ReadContext, window: FigureWindow): Promise<OutsideRow[]> =>
  ctx.db.query(outsideOfTasks, [
    ...scopeOf(ctx),
    agentsIn(ctx, window),
    ...times(window),
    skillIn(window),
    labelIn(window),
  ]);

/**
 * How the cost of the tasks that were dispatched in a window comes to what was spent in it: tasks go on after it, others were dispatched before it, and not all that
 * costs is a task.
 */
export async function ledgerOf(ctx: ReadContext, window: FigureWindow) {
  const values = [
    ...scopeOf(ctx),
    agentsIn(ctx, window),
    ...times(window),
    lowestId("tsk", window.from),
    lowestId("tsk", window.to),
    skillIn(window),
    labelIn(window),
  ];
  const [[sums], outside] = await Promise.all([ctx.db.query<Sums>(ofTasks, values), spentOutside(ctx, window)]);
  const { dispatched, later, earlier } = sums as Sums;
  const others = outside.reduce((sum, { spent }) => sum + spent, 0);
  return {
    spent_usd: usdOfMicros(dispatched - later + earlier + others),
    tasks_usd: usdOfMicros(dispatched),
    spent_later_usd: usdOfMicros(later),
    earlier_tasks_usd: usdOfMicros(earlier),
    outside_usd: usdOfMicros(others),
    outside: outside.map(({ operation, spent, entries }) => ({ operation, entries, spent_usd: usdOfMicros(spent) })),
  };
}

interface BudgetRow {
  readonly scope: string;
  readonly period: string;
  readonly tasks: number;
  readonly outside: number;
}

const ofBudgets = `
  select b.scope, b.period, e.tasks, e.outside
  from ${budgetRows} b cross join lateral (
    select coalesce(sum(e.spent) filter (where e.task_id is not null), 0)::bigint as tasks,
      coalesce(sum(e.spent) filter (where e.task_id is null), 0)::bigint as outside
    from ${ledgerEntryRows} e
    where e.organization = b.organization and e.environment = b.environment and e.spent > 0 and e.counted
      and e.at >= case b.period when 'total' then b.created_at else date_trunc(b.period, now(), 'UTC') end
      and case split_part(b.scope, ':', 1) when 'environment' then true when 'agent' then e.agent = substr(b.scope, 7)
        when 'key' then e.key_id = substr(b.scope, 5) else e.principal = substr(b.scope, 8) end) e
  where b.organization = $1 and b.environment = $2 and b.unit = 'usd' and b.scope = any($3)`;

/** What the ledger has in the present windows of the limits of money of these scopes, by scope and period. */
export async function ledgerOfBudgets(ctx: ReadContext, scopes: readonly string[]) {
  const rows = await ctx.db.query<BudgetRow>(ofBudgets, [...scopeOf(ctx), scopes]);
  return new Map(rows.map(({ scope, period, ...sums }) => [`${scope} ${period}`, sums]));
}

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
