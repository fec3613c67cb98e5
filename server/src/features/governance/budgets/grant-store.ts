import type { Statements, Sweep } from "../../../kernel/machines.ts";
import { grantSeconds, type Report } from "./grant.ts";
import { countEntries } from "./ledger-store.ts";

/** A window of a limit. Times in milliseconds since the epoch. */
export interface WindowKey {
  readonly organization: string;
  readonly environment: string;
  readonly scope: string;
  readonly unit: string;
  readonly period: string;
  readonly startsAt: number;
}

/** On this channel a process that finds too little left asks the others to give back what they do not need. The payload is a window's name. */
export const recallChannel = "aos_budgets";

export function windowName({ organization, environment, scope, unit, period, startsAt }: WindowKey): string {
  return JSON.stringify([organization, environment, scope, unit, period, startsAt]);
}

export interface GrantAsk {
  readonly hard: number | null;
  /** As `takeOf` takes them. */
  readonly missing: readonly number[];
  readonly ahead: number;
  /** Whether to ask the other processes to give back, where there is too little. */
  readonly recall: boolean;
}

export interface WindowAnswer {
  readonly used: number;
  readonly granted: number;
  readonly held: number;
}

export interface WindowReport {
  readonly key: WindowKey;
  readonly holder: string;
  readonly report: Report;
  /** The holder holds nothing, and reports what a call used beyond what it had reserved. */
  readonly bare: boolean;
}

/** Each statement commits on its own. It locks the rows of windows before those of grants, in the order of their keys. */
export interface GrantStore {
  /** The database's time, in milliseconds since the epoch. */
  now(): Promise<number>;
  grant(key: WindowKey, holder: string, ask: GrantAsk): Promise<WindowAnswer & { readonly taken: number }>;
  /** Reports what was spent, gives back, and renews. What was spent of money is counted from the ledger. Undefined for a window whose grant lapsed. */
  report(rows: readonly WindowReport[]): Promise<(WindowAnswer | undefined)[]>;
  /** Renames a holder, so that no late statement of the old name finds its grant. Returns what it holds. */
  rename(key: WindowKey, from: string, to: string): Promise<number>;
  used(keys: readonly WindowKey[]): Promise<number[]>;
}

const keyColumns = "organization, environment, scope, unit, period, starts_at";
const keyOf = (alias: string): string => keyColumns.replaceAll(/\w+/g, `${alias}.$&`);
const sameKey = (a: string, b: string): string => `(${keyOf(a)}) = (${keyOf(b)})`;
const isKey = (alias: string): string => `(${keyOf(alias)}) = ($1, $2, $3, $4, $5, $6::timestamptz)`;

// `missing` ($9, ascending) holds what the first waiting call, the first two, … would need; see takeOf in ledger.ts.
const take = `case
  when $8::bigint is null then greatest(x.needs, $10::bigint)
  when x.room >= 100 * greatest(1, x.needs) then least(x.room, greatest(x.needs, least(x.room / 20, $10::bigint)))
  else coalesce((select max(m) from unnest($9::bigint[]) m where m <= x.room), 0) end`;

const grantText = `
  with locked as materialized (select used, granted from budget_use u where ${isKey("u")} for update),
  decided as materialized (
    select l.granted, x.needs, ${take} as take
    from locked l, lateral (select greatest(0, $8::bigint - l.used - l.granted) as room,
      coalesce((select max(m) from unnest($9::bigint[]) m), 0) as needs) x),
  moved as (
    update budget_use u set granted = u.granted + d.take,
      recalled_at = case when $11 and d.take < d.needs and d.granted > 0 then now() else u.recalled_at end
    from decided d where ${isKey("u")}
    returning u.used, u.granted, d.take, $11 and d.take < d.needs and d.granted > 0 as recall),
  held as (
    insert into budget_grants (${keyColumns}, holder, amount, expires_at)
    select $1, $2, $3, $4, $5, $6, $7, take, now() + interval '${grantSeconds} s' from moved where take > 0
    on conflict (${keyColumns}, holder) do update
      set amount = budget_grants.amount + excluded.amount, expires_at = excluded.expires_at
    returning amount)
  select used, granted, take as taken, coalesce((select amount from held), (select amount from budget_grants g where ${isKey("g")} and holder = $7), 0) as held,
    case when recall then pg_notify('${recallChannel}', $12) end as recalled
  from moved`;

const openText = `insert into budget_use (${keyColumns}) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;

const reportText = `
  with asked as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::bigint[], $9::bigint[],
      $10::boolean[]) with ordinality as a(${keyColumns}, holder, spent, back, bare, n)),
  locked as materialized (
    select u.*, a.holder, a.spent, a.back, a.bare, a.n from budget_use u join asked a on ${sameKey("u", "a")}
    order by ${keyOf("u")} for update of u),
  owned as materialized (
    select l.*, g.amount, least(g.amount, l.spent + l.back) as gone from locked l join budget_grants g on ${sameKey("g", "l")} and g.holder = l.holder
    for update of g),
  held as (select * from owned union all select l.*, 0, 0 from locked l where l.bare and l.n not in (select n from owned)),
  moved as (
    update budget_use u set used = u.used + case h.unit when 'usd' then 0 else h.spent end, granted = u.granted - h.gone from held h where ${sameKey("u", "h")}
    returning h.n, u.used, u.granted, h.amount - h.gone as held),
  emptied as (
    delete from budget_grants g using held h where ${sameKey("g", "h")} and g.holder = h.holder and h.amount = h.gone),
  renewed as (
    update budget_grants g set amount = h.amount - h.gone, expires_at = now() + interval '${grantSeconds} s'
    from held h where ${sameKey("g", "h")} and g.holder = h.holder and h.amount > h.gone)
  select n::int as n, used, granted, held from moved`;

const renameText = `
  with locked as materialized (select organization from budget_use u where ${isKey("u")} for update)
  update budget_grants g set holder = $8 from locked
  where ${isKey("g")} and g.holder = $7 returning g.amount`;

const usedText = `
  select a.n::int as n, u.used
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) with ordinality as a(${keyColumns}, n)
  join budget_use u on ${sameKey("u", "a")}`;

const lapseText = `
  with lapsed as (
    select distinct ${keyColumns} from (select ${keyColumns} from budget_grants where expires_at < now() order by expires_at limit $1) g),
  locked as materialized (
    select u.* from budget_use u join lapsed l on ${sameKey("u", "l")}
    order by ${keyOf("u")} for update of u),
  gone as (
    delete from budget_grants g using locked l where ${sameKey("g", "l")} and g.expires_at < now()
    returning ${keyOf("g")}, g.amount),
  sums as (select ${keyColumns}, sum(amount)::bigint as amount, count(*) as n from gone group by ${keyColumns}),
  moved as (
    update budget_use u set used = u.used + case s.unit when 'usd' then 0 else s.amount end, granted = u.granted - s.amount from sums s where ${sameKey("u", "s")} returning s.n)
  select coalesce(sum(n), 0)::int as n from moved`;

const valuesOf = (key: WindowKey): unknown[] => [
  key.organization,
  key.environment,
  key.scope,
  key.unit,
  key.period,
  new Date(key.startsAt),
];

const columnsOf = (keys: readonly WindowKey[]): unknown[] =>
  [0, 1, 2, 3, 4, 5].map((column) => keys.map((key) => valuesOf(key)[column]));

export function createGrantStore(db: Statements): GrantStore {
  return {
    async now() {
      const [row] = await db.query<{ now: Date }>("select clock_timestamp() as now");
      return row?.now.getTime() ?? Number.NaN;
    },
    async grant(key, holder, { hard, missing, ahead, recall }) {
      const values = [...valuesOf(key), holder, hard, missing, ahead, recall, windowName(key)];
      const ask = async () => (await db.query<WindowAnswer & { taken: number }>(grantText, values))[0];
      const known = await ask();
      if (known) return known;
      await db.query(openText, valuesOf(key));
      const opened = await ask();
      if (!opened) throw new Error(`The window ${windowName(key)} was just deleted.`);
      return opened;
    },
    async report(rows) {
      if (rows.some(({ key }) => key.unit === "usd")) await countEntries(db);
      const answers = await db.query<WindowAnswer & { n: number }>(reportText, [
        ...columnsOf(rows.map(({ key }) => key)),
        rows.map(({ holder }) => holder),
        rows.map(({ report }) => report.spent),
        rows.map(({ report }) => report.back),
        rows.map(({ bare }) => bare),
      ]);
      const byNumber = new Map(answers.map(({ n, ...answer }) => [n, answer]));
      return rows.map((_row, i) => byNumber.get(i + 1));
    },
    async rename(key, from, to) {
      const [row] = await db.query<{ amount: number }>(renameText, [...valuesOf(key), from, to]);
      return row?.amount ?? 0;
    },
    async used(keys) {
      const rows = await db.query<{ n: number; used: number }>(usedText, columnsOf(keys));
      const byNumber = new Map(rows.map(({ n, used }) => [n, used]));
      return keys.map((_key, i) => byNumber.get(i + 1) ?? 0);
    },
  };
}

/**
 * Takes grants back that were not renewed: their processes are gone. What was spent of money stands in the ledger, so that the rest of it is free again; of other
 * units all counts as used, since nobody knows. Returns how many lapsed.
 */
export async function lapseGrants(db: Statements, limit: number): Promise<number> {
  await countEntries(db);
  const [row] = await db.query<{ n: number }>(lapseText, [limit]);
  return row?.n ?? 0;
}

/** Runs once a second. */
export const budgetSweep: Sweep = {
  name: "budgets.lapse",
  run: async ({ db }) => void (await lapseGrants(db, 500)),
};
