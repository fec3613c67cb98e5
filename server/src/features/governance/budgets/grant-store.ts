import type { Statements } from "../../../kernel/machines.ts";
import { grantSeconds, type Report } from "./grant.ts";

/** Which window of which limit. Times in milliseconds since the epoch. */
export interface WindowKey {
  readonly organization: string;
  readonly environment: string;
  readonly scope: string;
  readonly unit: string;
  readonly period: string;
  readonly startsAt: number;
}

/** Channel on which a process that finds too little left asks the others to give back what they do not need. The payload names a window. */
export const recallChannel = "aos_budgets";

/** How a window is named in a notification, and in memory. */
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

/** What the database holds of a window after a statement. `held`: for the process that asked. */
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

/** What budgets ask of the database. Each statement commits on its own, and locks the window's row before the process's: in the order of the keys, where several. */
export interface PortionStore {
  /** The database's time, in milliseconds since the epoch. */
  now(): Promise<number>;
  /** Takes what `takeOf` says. Opens the window where it is the first of it. */
  grant(key: WindowKey, holder: string, ask: GrantAsk): Promise<WindowAnswer & { readonly taken: number }>;
  /** Reports what was spent, gives back, and renews. Undefined for a window of which the database holds nothing for the holder: it lapsed. */
  report(rows: readonly WindowReport[]): Promise<(WindowAnswer | undefined)[]>;
  /** Renames a holder, so that no late statement of the old name finds its grant, and answers what it holds; undefined: nothing. */
  rename(key: WindowKey, from: string, to: string): Promise<number | undefined>;
  /** What is used of windows, 0 where nothing was. */
  used(keys: readonly WindowKey[]): Promise<number[]>;
}

const keyColumns = "organization, environment, scope, unit, period, starts_at";
const sameKey = (a: string, b: string): string =>
  keyColumns
    .split(", ")
    .map((column) => `${a}.${column} = ${b}.${column}`)
    .join(" and ");
const theKey = `organization = $1 and environment = $2 and scope = $3 and unit = $4 and period = $5 and starts_at = $6`;

// `missing` ($9, ascending) holds what the first waiting call, the first two, … would need; see takeOf in ledger.ts.
const take = `case
  when $8::bigint is null then greatest(x.needs, $10::bigint)
  when x.room >= 100 * greatest(1, x.needs) then least(x.room, greatest(x.needs, least(x.room / 20, $10::bigint)))
  else coalesce((select max(m) from unnest($9::bigint[]) m where m <= x.room), 0) end`;

const grantText = `
  with locked as materialized (select used, granted from budget_use where ${theKey} for update),
  decided as materialized (
    select l.granted, x.needs, ${take} as take
    from locked l, lateral (select greatest(0, $8::bigint - l.used - l.granted) as room,
      coalesce((select max(m) from unnest($9::bigint[]) m), 0) as needs) x),
  moved as (
    update budget_use u set granted = u.granted + d.take,
      recalled_at = case when $11 and d.take < d.needs and d.granted > 0 then now() else u.recalled_at end
    from decided d where ${theKey.replaceAll(/(\w+) = \$/g, "u.$1 = $")}
    returning u.used, u.granted, d.take, $11 and d.take < d.needs and d.granted > 0 as recall),
  held as (
    insert into budget_grants (${keyColumns}, holder, amount, expires_at)
    select $1, $2, $3, $4, $5, $6, $7, take, now() + interval '${grantSeconds} s' from moved where take > 0
    on conflict (${keyColumns}, holder) do update
      set amount = budget_grants.amount + excluded.amount, expires_at = excluded.expires_at
    returning amount)
  select used, granted, take as taken, coalesce((select amount from held), (select amount from budget_grants where ${theKey} and holder = $7), 0) as held,
    case when recall then pg_notify('${recallChannel}', $12) end as recalled
  from moved`;

const openText = `insert into budget_use (${keyColumns}) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;

const reportText = `
  with asked as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::bigint[], $9::bigint[],
      $10::boolean[]) with ordinality as a(${keyColumns}, holder, spent, back, bare, n)),
  locked as materialized (
    select u.*, a.holder, a.spent, a.back, a.bare, a.n from budget_use u join asked a on ${sameKey("u", "a")}
    order by ${keyColumns
      .split(", ")
      .map((column) => `u.${column}`)
      .join(", ")} for update of u),
  owned as materialized (
    select l.*, g.amount, least(g.amount, l.spent + l.back) as gone from locked l join budget_grants g on ${sameKey("g", "l")} and g.holder = l.holder
    for update of g),
  held as (select * from owned union all select l.*, 0, 0 from locked l where l.bare and l.n not in (select n from owned)),
  moved as (
    update budget_use u set used = u.used + h.spent, granted = u.granted - h.gone from held h where ${sameKey("u", "h")}
    returning h.n, u.used, u.granted, h.amount - h.gone as held),
  emptied as (
    delete from budget_grants g using held h where ${sameKey("g", "h")} and g.holder = h.holder and h.amount = h.gone),
  renewed as (
    update budget_grants g set amount = h.amount - h.gone, expires_at = now() + interval '${grantSeconds} s'
    from held h where ${sameKey("g", "h")} and g.holder = h.holder and h.amount > h.gone)
  select n::int as n, used, granted, held from moved`;

const renameText = `
  with locked as materialized (select organization from budget_use where ${theKey} for update)
  update budget_grants g set holder = $8 from locked
  where ${theKey.replaceAll(/(\w+) = \$/g, "g.$1 = $")} and g.holder = $7 returning g.amount`;

const usedText = `
  select a.n::int as n, u.used
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) with ordinality as a(${keyColumns}, n)
  join budget_use u on ${sameKey("u", "a")}`;

const lapseText = `
  with lapsed as (
    select distinct ${keyColumns} from (select ${keyColumns} from budget_grants where expires_at < now() order by expires_at limit $1) g),
  locked as materialized (
    select u.* from budget_use u join lapsed l on ${sameKey("u", "l")}
    order by ${keyColumns
      .split(", ")
      .map((column) => `u.${column}`)
      .join(", ")} for update of u),
  gone as (
    delete from budget_grants g using locked l where ${sameKey("g", "l")} and g.expires_at < now()
    returning ${keyColumns
      .split(", ")
      .map((column) => `g.${column}`)
      .join(", ")}, g.amount),
  sums as (select ${keyColumns}, sum(amount)::bigint as amount, count(*) as n from gone group by ${keyColumns}),
  moved as (
    update budget_use u set used = u.used + s.amount, granted = u.granted - s.amount from sums s where ${sameKey("u", "s")} returning s.n)
  select coalesce(sum(n), 0)::int as n from moved`;

const valuesOf = (key: WindowKey): unknown[] => [
  key.organization,
  key.environment,
  key.scope,
  key.unit,
  key.period,
  new Date(key.startsAt),
];

/** The columns of several keys, each as an array. */
const columnsOf = (keys: readonly WindowKey[]): unknown[] => {
  const rows = keys.map(valuesOf);
  return [0, 1, 2, 3, 4, 5].map((column) => rows.map((row) => row[column]));
};

/** The statements over a database that may write. */
export function createPortionStore(db: Statements): PortionStore {
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
      const first = await ask();
      if (!first) throw new Error(`the window ${windowName(key)} was removed in this moment`);
      return first;
    },
    async report(rows) {
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
      return row?.amount;
    },
    async used(keys) {
      const rows = await db.query<{ n: number; used: number }>(usedText, columnsOf(keys));
      const byNumber = new Map(rows.map(({ n, used }) => [n, used]));
      return keys.map((_key, i) => byNumber.get(i + 1) ?? 0);
    },
  };
}

/** Counts what processes held and did not renew as used: they are gone, and may have used all of it. Answers how many grants that were. */
export async function lapseGrants(db: Statements, most: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(lapseText, [most]);
  return row?.n ?? 0;
}
