import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { isId, lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { WindowKey } from "./grant-store.ts";
import type { BudgetPeriod, BudgetScope, BudgetUnit } from "./model.ts";

/** A limit as it is stored, with its present window. Amounts are whole. */
export interface LimitRow {
  scope: string;
  unit: BudgetUnit;
  period: BudgetPeriod;
  hard: number | null;
  warn: number | null;
  created_at: Date;
  updated_at: Date;
  starts_at: Date;
  used: number;
  granted: number;
  /** The database's time, which windows go by. */
  now: Date;
}

/** When the present window of a limit began; a total's when it was set. */
const startsAt = `case b.period when 'total' then b.created_at else date_trunc(b.period, now()) end`;
const order: readonly string[] = ["usd", "tokens", "tasks", "steps"];
const periods: readonly string[] = ["hour", "day", "month", "total"];

const limitColumns = `b.scope, b.unit, b.period, b.hard, b.warn, b.created_at, b.updated_at, ${startsAt} as starts_at,
  coalesce(u.used, 0)::bigint as used, coalesce(u.granted, 0)::bigint as granted, now() as now`;
const withUse = `left join budget_use u on u.organization = b.organization and u.environment = b.environment and u.scope = b.scope
  and u.unit = b.unit and u.period = b.period and u.starts_at = ${startsAt}`;

/** The limits of the scopes of one page, in the order of the scopes' names. `scopes`: only these; null: all. */
export async function listLimits(
  ctx: ReadContext,
  scopes: readonly string[] | null,
  page: PageRequest,
): Promise<LimitRow[][]> {
  const rows = await ctx.db.query<LimitRow>(
    `with shown as (
       select distinct scope from budgets where organization = $1 and environment = $2 and ($3::text is null or scope > $3)
         and ($4::text[] is null or scope = any($4)) order by scope limit $5)
     select ${limitColumns} from budgets b ${withUse}
     where b.organization = $1 and b.environment = $2 and b.scope in (select scope from shown) order by b.scope`,
    [ctx.scope.organization, ctx.scope.environment, page.after?.id ?? null, scopes, page.take],
  );
  return [...Map.groupBy(rows, ({ scope }) => scope).values()].map(inOrder);
}

/** The limits of one scope. */
export async function readLimits(ctx: ReadContext | WriteContext, scope: string): Promise<LimitRow[]> {
  const rows = await ctx.db.query<LimitRow>(
    `select ${limitColumns} from budgets b ${withUse} where b.organization = $1 and b.environment = $2 and b.scope = $3`,
    [ctx.scope.organization, ctx.scope.environment, scope],
  );
  return inOrder(rows);
}

function inOrder(rows: LimitRow[]): LimitRow[] {
  const place = ({ unit, period }: LimitRow): number => order.indexOf(unit) * periods.length + periods.indexOf(period);
  return rows.sort((a, b) => place(a) - place(b));
}

/** The agents of the organization, by name. */
export async function agentNames(ctx: ReadContext | WriteContext): Promise<string[]> {
  const rows = await ctx.db.query<{ name: string }>("select name from agents where organization = $1 order by name", [
    ctx.scope.organization,
  ]);
  return rows.map(({ name }) => name);
}

/** Whether what a budget is for exists: an agent or a member of the organization, a key of the environment. */
export async function scopeExists(ctx: ReadContext | WriteContext, scope: BudgetScope): Promise<boolean> {
  const { organization, environment } = ctx.scope;
  if (scope.kind === "environment") return true;
  if (scope.kind === "agent") {
    return (
      (await ctx.db.query("select from agents where organization = $1 and name = $2", [organization, scope.agent]))
        .length > 0
    );
  }
  if (scope.kind === "member") {
    if (!isId(scope.member, "mbr")) return false;
    const text = "select from members where organization = $1 and id = $2 and removed_at is null";
    return (await ctx.db.query(text, [organization, scope.member])).length > 0;
  }
  if (!isId(scope.key, "key")) return false;
  const text = "select from keys where organization = $1 and environment = $2 and id = $3";
  return (await ctx.db.query(text, [organization, environment, scope.key])).length > 0;
}

export interface NewLimit {
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly hard: number | null;
  readonly warn: number | null;
}

/** The limits of a scope, which nobody else sets until the transaction ends. */
export async function lockLimits(ctx: WriteContext, scope: string): Promise<LimitRow[]> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `budget ${organization} ${environment} ${scope}`,
  ]);
  return readLimits(ctx, scope);
}

/**
 * Puts limits in place of those that a scope has. Calls that set the same scope come one after the other. A limit that stays keeps its window and what
 * was used; the window of a new one starts from what was used in it already.
 */
export async function replaceLimits(ctx: WriteContext, scope: string, limits: readonly NewLimit[]): Promise<void> {
  const { organization, environment } = ctx.scope;
  const before = await lockLimits(ctx, scope);
  await ctx.db.query(
    `delete from budgets b where organization = $1 and environment = $2 and scope = $3
       and not exists (select from unnest($4::text[], $5::text[]) as l(unit, period) where l.unit = b.unit and l.period = b.period)`,
    [organization, environment, scope, limits.map(({ unit }) => unit), limits.map(({ period }) => period)],
  );
  for (const limit of limits) {
    await ctx.db.query(
      `insert into budgets as b (organization, environment, scope, unit, period, hard, warn, author, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, date_trunc('milliseconds', now()), now())
       on conflict (organization, environment, scope, unit, period) do update
         set hard = excluded.hard, warn = excluded.warn, author = excluded.author, updated_at = excluded.updated_at
         where (b.hard, b.warn) is distinct from (excluded.hard, excluded.warn)`,
      [organization, environment, scope, limit.unit, limit.period, limit.hard, limit.warn, ctx.principal.id],
    );
    const known = before.some(({ unit, period }) => unit === limit.unit && period === limit.period);
    if (!known && limit.period !== "total") await countWindow(ctx, scope, limit);
  }
  await armAgain(ctx, scope);
}

/** A limit that was raised above what is used warns again, and tells again when it is used up. */
async function armAgain(ctx: WriteContext, scope: string): Promise<void> {
  await ctx.db.query(
    `update budget_use u set
       warned_at = case when b.warn > u.used then null else u.warned_at end,
       exhausted_at = case when b.hard > u.used then null else u.exhausted_at end
     from budgets b
     where b.organization = $1 and b.environment = $2 and b.scope = $3 and u.organization = b.organization and u.environment = b.environment
       and u.scope = b.scope and u.unit = b.unit and u.period = b.period and u.starts_at = ${startsAt}
       and (u.warned_at is not null or u.exhausted_at is not null)`,
    [ctx.scope.organization, ctx.scope.environment, scope],
  );
}

const usedSince: Readonly<Record<BudgetUnit, { readonly from: string; readonly amount: string; readonly id: string }>> =
  {
    tasks: { from: "tasks t", amount: "count(*)", id: "t.id" },
    usd: { from: "tasks t", amount: "coalesce(sum(ceil(t.cost_usd * 1000000)), 0)", id: "t.id" },
    tokens: { from: "tasks t", amount: "coalesce(sum(t.tokens), 0)", id: "t.id" },
    steps: {
      from: "steps s join tasks t on t.organization = s.organization and t.environment = s.environment and t.id = s.task_id and s.verdict is distinct from 'deny'",
      amount: "count(*)",
      id: "s.id",
    },
  };

/** Opens the present window of a new limit with what the tasks of its scope have used in it: ids tell when a thing was made. */
async function countWindow(ctx: WriteContext, scope: string, { unit, period }: NewLimit): Promise<void> {
  const { organization, environment } = ctx.scope;
  const [window] = await ctx.db.query<{ from: Date }>("select date_trunc($1, now()) as from", [period]);
  if (!window) throw new Error("the database told no time");
  const { from, amount, id } = usedSince[unit];
  const cut = scope.indexOf(":");
  const column = { environment: null, agent: "agent", key: "key_id", member: "principal" }[
    cut < 0 ? scope : scope.slice(0, cut)
  ];
  const [counted] = await ctx.db.query<{ used: number }>(
    `select (${amount})::bigint as used from ${from}
     where t.organization = $1 and t.environment = $2 and ${id} >= $3 and ($4::text is null or ${column ? `t.${column} = $4` : "true"})`,
    [
      organization,
      environment,
      lowestId(unit === "steps" ? "stp" : "tsk", window.from.getTime()),
      column ? scope.slice(cut + 1) : null,
    ],
  );
  await ctx.db.query(
    `insert into budget_use (organization, environment, scope, unit, period, starts_at, used) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (organization, environment, scope, unit, period, starts_at) do update set used = greatest(budget_use.used, excluded.used)`,
    [organization, environment, scope, unit, period, window.from, counted?.used ?? 0],
  );
}

/** A window of a limit, as an event tells of it. */
export interface WindowRow {
  hard: number | null;
  warn: number | null;
  used: number;
}

/** The window with its limit; undefined where the limit is gone. */
export async function findWindow(ctx: ReadContext, key: WindowKey): Promise<WindowRow | undefined> {
  const [row] = await ctx.db.query<WindowRow>(
    `select b.hard, b.warn, coalesce(u.used, 0)::bigint as used from budgets b left join budget_use u on u.organization = b.organization
       and u.environment = b.environment and u.scope = b.scope and u.unit = b.unit and u.period = b.period and u.starts_at = $6
     where b.organization = $1 and b.environment = $2 and b.scope = $3 and b.unit = $4 and b.period = $5`,
    [ctx.scope.organization, ctx.scope.environment, key.scope, key.unit, key.period, new Date(key.startsAt)],
  );
  return row;
}

/** Notes that a window has reached its warning level, or is used up. False: that was noted before. A limit of nothing is used up before its window was opened. */
export async function markWindow(ctx: WriteContext, key: WindowKey, kind: "warning" | "exhausted"): Promise<boolean> {
  const column = kind === "warning" ? "warned_at" : "exhausted_at";
  const rows = await ctx.db.query(
    `insert into budget_use as u (organization, environment, scope, unit, period, starts_at, ${column}) values ($1, $2, $3, $4, $5, $6, now())
     on conflict (organization, environment, scope, unit, period, starts_at) do update set ${column} = now() where u.${column} is null
     returning used`,
    [ctx.scope.organization, ctx.scope.environment, key.scope, key.unit, key.period, new Date(key.startsAt)],
  );
  return rows.length > 0;
}
