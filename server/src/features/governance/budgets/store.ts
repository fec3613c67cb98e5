import { all, first, remove, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId, lowestId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { keyRows, memberRows } from "../../admin/shared-rows.ts";
import { agentRows } from "../../agents/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import type { WindowKey } from "./grant-store.ts";
import { holdCounting } from "./ledger-store.ts";
import type { BudgetPeriod, BudgetScope, BudgetUnit } from "./rules.ts";

export interface LimitRow {
  scope: string;
  unit: BudgetUnit;
  period: BudgetPeriod;
  hard: number | null;
  warn: number | null;
  created_at: Date;
  updated_at: Date;
  used: number;
  granted: number;
  now: Date;
}

/** When the present window of a limit began; a total's when it was set. */
const startsAt = "case b.period when 'total' then b.created_at else date_trunc(b.period, now()) end";
const order: readonly string[] = ["usd", "tokens", "tasks", "steps"];
const periods: readonly string[] = ["hour", "day", "month", "total"];

const limitsOf = (ctx: Pick<CallContext, "scope">) =>
  select(ctx, "budgets", "b")
    .leftJoin(rowsOf(ctx, "budget_use", "u"), (join) =>
      join
        .onRef("u.scope", "=", "b.scope")
        .onRef("u.unit", "=", "b.unit")
        .onRef("u.period", "=", "b.period")
        .on(sql<boolean>`u.starts_at = ${sql.raw(startsAt)}`),
    )
    .select(["b.scope", "b.unit", "b.period", "b.hard", "b.warn", "b.created_at", "b.updated_at"])
    .select([
      sql<number>`coalesce(u.used, 0)::bigint`.as("used"),
      sql<number>`coalesce(u.granted, 0)::bigint`.as("granted"),
    ])
    .select(sql<Date>`now()`.as("now"))
    .$castTo<LimitRow>();

/** The limits of the scopes of one page, by scope. `scopes`: only these; null means all. */
export async function listLimits(
  ctx: ReadContext,
  scopes: readonly string[] | null,
  { after, take }: PageRequest,
): Promise<LimitRow[][]> {
  const shown = select(ctx, "budgets", "s")
    .select("s.scope")
    .distinct()
    .$if(after !== undefined, (q) => q.where("s.scope", ">", after?.id ?? ""))
    .$if(scopes !== null, (q) => q.where("s.scope", "in", scopes ?? []))
    .orderBy("s.scope")
    .limit(take);
  const rows = await all(ctx, limitsOf(ctx).where("b.scope", "in", shown).orderBy("b.scope"));
  return [...Map.groupBy(rows, ({ scope }) => scope).values()].map(inOrder);
}

export const limitsUsedUp = (ctx: Pick<CallContext, "scope">) =>
  limitsOf(ctx)
    .clearSelect()
    .select(["b.scope", "b.unit", "b.period"])
    .select("u.exhausted_at as since")
    .where("b.hard", "is not", null)
    .where(sql<boolean>`coalesce(u.used, 0) >= b.hard`)
    .orderBy("b.scope")
    .$castTo<Pick<LimitRow, "scope" | "unit" | "period"> & { since: Date | null }>();

export async function readLimits(ctx: QueryContext, scope: string): Promise<LimitRow[]> {
  return inOrder(await all(ctx, limitsOf(ctx).where("b.scope", "=", scope)));
}

function inOrder(rows: LimitRow[]): LimitRow[] {
  const place = ({ unit, period }: LimitRow): number => order.indexOf(unit) * periods.length + periods.indexOf(period);
  return rows.sort((a, b) => place(a) - place(b));
}

export async function agentNames(ctx: ReadContext | WriteContext): Promise<string[]> {
  const rows = await all(ctx, select(ctx, agentRows, "a").select("a.name").orderBy("a.name"));
  return rows.map(({ name }) => name);
}

/** Whether there is what a budget is for: an agent or a member of the organization, a key of the environment. */
export async function scopeExists(ctx: ReadContext | WriteContext, scope: BudgetScope): Promise<boolean> {
  switch (scope.kind) {
    case "environment":
      return true;
    case "agent":
      return has(ctx, select(ctx, agentRows, "a").select("a.name as id").where("a.name", "=", scope.agent));
    case "member": {
      const member = select(ctx, memberRows, "m").select("m.id").where("m.id", "=", scope.member);
      return isId(scope.member, "mbr") && has(ctx, member.where("m.removed_at", "is", null));
    }
    case "key":
      return isId(scope.key, "key") && has(ctx, select(ctx, keyRows, "k").select("k.id").where("k.id", "=", scope.key));
  }
}

const has = async (
  ctx: ReadContext | WriteContext,
  query: Parameters<typeof first<{ id: string }>>[1],
): Promise<boolean> => (await first(ctx, query)) !== undefined;

export interface NewLimit {
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly hard: number | null;
  readonly warn: number | null;
}

export async function lockLimits(ctx: WriteContext, scope: string): Promise<LimitRow[]> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `budget ${organization} ${environment} ${scope}`,
  ]);
  return readLimits(ctx, scope);
}

/**
 * Replaces the limits of a scope, which are locked as `before`, and returns the new ones. A limit that stays keeps its window and what was used; a new one counts what was
 * already used in its window.
 */
export async function replaceLimits(
  ctx: WriteContext,
  scope: string,
  limits: readonly NewLimit[],
  before: readonly LimitRow[],
): Promise<LimitRow[]> {
  const { organization, environment } = ctx.scope;
  if (limits.some(({ unit }) => unit === "usd")) await holdCounting(ctx.db);
  const now: LimitRow[] = [];
  for (const { unit, period } of before) {
    if (limits.some((limit) => limit.unit === unit && limit.period === period)) continue;
    const gone = remove(ctx, "budgets").where("scope", "=", scope).where("unit", "=", unit);
    await all(ctx, gone.where("period", "=", period));
  }
  for (const limit of limits) {
    const [set] = await ctx.db.query<Omit<LimitRow, "used" | "granted">>(
      `insert into budgets as b (organization, environment, scope, unit, period, hard, warn, author, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, date_trunc('milliseconds', now()), now())
       on conflict (organization, environment, scope, unit, period) do update
         set hard = excluded.hard, warn = excluded.warn, author = excluded.author, updated_at = excluded.updated_at
         where (b.hard, b.warn) is distinct from (excluded.hard, excluded.warn)
       returning b.scope, b.unit, b.period, b.hard, b.warn, b.created_at, b.updated_at, now() as now`,
      [organization, environment, scope, limit.unit, limit.period, limit.hard, limit.warn, ctx.principal.id],
    );
    const known = before.find(({ unit, period }) => unit === limit.unit && period === limit.period);
    const { used, granted } = known ?? (limit.period === "total" ? unused : await countWindow(ctx, scope, limit));
    now.push({ ...((set ?? known) as LimitRow), used, granted });
  }
  await clearNotes(ctx, scope);
  return inOrder(now);
}

type WindowUse = Pick<LimitRow, "used" | "granted">;
/** Of a total, which counts from the moment when it is set. */
const unused: WindowUse = { used: 0, granted: 0 };

/** A limit that was raised above what is used sends its events again. */
async function clearNotes(ctx: WriteContext, scope: string): Promise<void> {
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

const steps = `steps s join ${taskRows} t
  on t.organization = s.organization and t.environment = s.environment and t.id = s.task_id and s.verdict is distinct from 'deny'`;
const usedSince = {
  tasks: { from: "tasks t", amount: "count(*)", since: "t.id >= $3", prefix: "tsk" },
  // What is not counted yet is added to the window once it is.
  usd: {
    from: "ledger_entries t",
    amount: "coalesce(sum(t.spent), 0)",
    since: "t.counted and t.at >= $3",
    prefix: null,
  },
  tokens: { from: "tasks t", amount: "coalesce(sum(t.tokens), 0)", since: "t.id >= $3", prefix: "tsk" },
  steps: { from: steps, amount: "count(*)", since: "s.id >= $3", prefix: "stp" },
} as const;

/** Opens the present window of a new limit with what was used in it: of money what the ledger says, of other units by tasks; their ids contain the time of creation. */
async function countWindow(ctx: WriteContext, scope: string, { unit, period }: NewLimit): Promise<WindowUse> {
  const { organization, environment } = ctx.scope;
  const [window] = await ctx.db.query<{ from: Date }>("select date_trunc($1, now()) as from", [period]);
  const from = window?.from as Date;
  const { from: rows, amount, since, prefix } = usedSince[unit];
  const [kind = "", name] = scope.split(/:(.*)/s);
  const column = { agent: "agent", key: "key_id", member: "principal" }[kind];
  const [counted] = await ctx.db.query<{ used: number }>(
    `select (${amount})::bigint as used from ${rows}
     where t.organization = $1 and t.environment = $2 and ${since} ${column ? `and t.${column} = $4` : ""}`,
    [organization, environment, prefix ? lowestId(prefix, from.getTime()) : from, ...(column ? [name] : [])],
  );
  const [opened] = await ctx.db.query<WindowUse>(
    `insert into budget_use (organization, environment, scope, unit, period, starts_at, used) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (organization, environment, scope, unit, period, starts_at) do update set used = greatest(budget_use.used, excluded.used)
     returning used, granted`,
    [organization, environment, scope, unit, period, from, counted?.used ?? 0],
  );
  return opened as WindowUse;
}

export async function findWindow(ctx: ReadContext, { scope, unit, period, startsAt }: WindowKey) {
  const window = select(ctx, "budget_use", "u")
    .select("u.used")
    .where("u.scope", "=", scope)
    .where("u.unit", "=", unit)
    .where("u.period", "=", period)
    .where("u.starts_at", "=", new Date(startsAt));
  return first(
    ctx,
    select(ctx, "budgets", "b")
      .select(["b.hard", "b.warn", (of) => of.fn.coalesce(window, sql<number>`0`).as("used")])
      .where("b.scope", "=", scope)
      .where(sql<boolean>`b.unit = ${unit} and b.period = ${period}`),
  );
}

/** Notes that a window has reached its warning level, or is used up. Returns false if that was noted before. A limit of 0 is used up before its window is opened. */
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
