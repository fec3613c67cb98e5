import { timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { invalidParameter } from "../../../../kernel/problems.ts";
import { isTimeZone } from "../../../../kernel/time-zone.ts";
import { csvLine } from "../../queries/csv.ts";
import type { Dimension } from "../../rollups/measures.ts";
import { namesOf } from "../../rollups/names-store.ts";
import { type RollupRow, rollup } from "../../rollups/rollup.ts";
import { type Month, monthNamed, monthOf, nameOfMonth } from "../calendar.ts";
import { exampleChargeback } from "../example.ts";
import { spentOutside } from "../ledger.ts";
import { linkOf } from "../link.ts";
import { Chargeback, chargebackQuery } from "../schemas.ts";
import { asParameter, figureRead } from "../window.ts";

export const readChargeback = defineRead({
  ...figureRead,
  id: "analytics.readChargeback",
  path: "/v1/analytics/chargeback",
  summary: "Read a month's bill",
  description:
    "What the tasks of a month in a time zone cost, by member, key, agent or a declared label. Lines are whole millionths of a dollar and sum exactly to the total. `Accept: text/csv` answers the same as CSV.",
  query: chargebackQuery,
  output: Chargeback,
  writes: { "text/csv": { etag: "csv", write: csvOfBill } },
  example: { output: exampleChargeback },
  handle: (ctx, { query }) => chargebackOf(ctx, query),
});

const minute = 60_000;
const nanosPerUsd = 1_000_000_000;
const microsPerUsd = 1_000_000;

export interface BillAsked {
  readonly month?: string;
  readonly time_zone?: string;
  readonly by?: string;
}

/** A month's bill, whose lines sum exactly to its total. */
export async function chargebackOf(ctx: ReadContext, asked: BillAsked): Promise<Chargeback> {
  const { time_zone: timeZone = "UTC", by = "member" } = asked;
  const month = monthAsked(ctx.now, timeZone, asked.month);
  const until = Math.min(month.to, Math.ceil(ctx.now / minute) * minute);
  const dimension = by as Dimension;
  const { rows, complete, asOf } = await rollup(ctx, {
    measures: ["cost_usd", "tasks", "tokens"],
    dimensions: [dimension],
    from: month.from,
    to: until,
    timeZone,
    sort: "-cost_usd",
  }).catch((error: unknown) => {
    throw asParameter(error);
  });
  const { each, total } = inMicros(rows.map(({ values }) => Math.round((values.cost_usd.value ?? 0) * nanosPerUsd)));
  const names = await namesOf(
    ctx,
    rows.map(({ key }) => key[dimension]),
  );
  const lines = rows.map((row, at) => lineOf(row, { dimension, names, month }, each[at] as number, total));
  const outside = await spentOutside(ctx, { from: month.from, to: until, filters: {}, grain: "day", timeZone });
  const spent = outside.reduce((all, one) => all + one.spent, 0);
  const sum = (of: "tasks" | "tokens"): number => lines.reduce((all, line) => all + line[of], 0);
  return {
    month: nameOfMonth(timeZone, month),
    from: timestamp(month.from),
    to: timestamp(month.to),
    time_zone: timeZone,
    by,
    complete: complete && ctx.now >= month.to,
    as_of: timestamp(asOf),
    currency: "USD",
    lines,
    total: { tasks: sum("tasks"), tokens: sum("tokens"), cost_usd: total / microsPerUsd, cost_microusd: total },
    outside: {
      cost_usd: spent / microsPerUsd,
      cost_microusd: spent,
      entries: outside.reduce((all, one) => all + one.entries, 0),
    },
  };
}

function monthAsked(now: number, timeZone: string, name: string | undefined): Month {
  if (!isTimeZone(timeZone)) {
    const detail = "must be a time zone such as `Europe/Vienna` or `UTC`";
    const errors = [{ parameter: "time_zone", code: "unknown_time_zone", detail }];
    throw refuse(invalidParameter, `time_zone: ${detail}`, { errors });
  }
  const month = name === undefined ? monthOf(timeZone, now) : monthNamed(timeZone, name);
  if (month.from < now) return month;
  const detail = "has not begun; ask for the present month or one before it";
  throw refuse(invalidParameter, `month: ${detail}`, { errors: [{ parameter: "month", code: "not_begun", detail }] });
}

function lineOf(
  { key, values }: RollupRow,
  { dimension, names, month }: { dimension: Dimension; names: ReadonlyMap<string, string>; month: Month },
  micros: number,
  total: number,
): Chargeback["lines"][number] {
  const value = key[dimension] ?? null;
  return {
    value,
    name: (value === null ? undefined : names.get(value)) ?? null,
    tasks: values.tasks.value ?? 0,
    tokens: values.tokens.value ?? 0,
    cost_usd: micros / microsPerUsd,
    cost_microusd: micros,
    share: total > 0 ? micros / total : null,
    link: linkOf("tasks", { [dimension]: [value] }, month),
  };
}

export function csvOfBill({ month, time_zone, by, complete, lines, total, outside }: Chargeback): string {
  type Amounts = Pick<Chargeback["total"], "cost_usd" | "cost_microusd"> & Partial<Chargeback["total"]>;
  const line = (kind: string, named: { value: string | null; name: string | null }, amounts: Amounts): string => {
    const { tasks = null, tokens = null, cost_usd, cost_microusd } = amounts;
    const head = [kind, month, time_zone, by, named.value, named.name];
    return csvLine([...head, tasks, tokens, cost_usd, cost_microusd, String(complete)]);
  };
  const nobody = { value: null, name: null };
  const columns = ["row", "month", "time_zone", "by", "value", "name", "tasks", "tokens", "cost_usd", "cost_microusd"];
  return [
    csvLine([...columns, "complete"]),
    ...lines.map((one) => line("line", one, one)),
    line("total", nobody, total),
    line("outside_tasks", nobody, outside),
  ].join("");
}

/** Billionths of a dollar in a millionth. */
const nanosPerMicro = 1_000;

/**
 * Rounds amounts to whole millionths of a dollar so that they sum to the rounded sum: each down, and what is left over one by one to those that lost most, the
 * first of equals first (the method of the largest remainder).
 */
export function inMicros(nanos: readonly number[]): { readonly each: number[]; readonly total: number } {
  const total = Math.round(nanos.reduce((sum, amount) => sum + amount, 0) / nanosPerMicro);
  const each = nanos.map((amount) => Math.floor(amount / nanosPerMicro));
  const left = total - each.reduce((sum, amount) => sum + amount, 0);
  const byLoss = nanos
    .map((amount, at) => ({ at, lost: amount - Math.floor(amount / nanosPerMicro) * nanosPerMicro }))
    .sort((a, b) => b.lost - a.lost || a.at - b.at);
  for (const { at } of byLoss.slice(0, left)) each[at] = (each[at] as number) + 1;
  return { each, total };
}
