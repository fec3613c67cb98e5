import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { type Settings, settingsOf } from "../../../admin/public.ts";
import { type RollupRow, rollup } from "../../rollups/rollup.ts";
import { exampleValue } from "../example.ts";
import { linkOf } from "../link.ts";
import { acceptedOf } from "../outcomes.ts";
import { tableQuery, ValueFigures } from "../schemas.ts";
import { type FigureWindow, figureRead, headOf, windowOf } from "../window.ts";

export const readValue = defineRead({
  ...figureRead,
  id: "analytics.readValue",
  path: "/v1/analytics/value",
  summary: "Read value against cost",
  description:
    "Time saved and value of accepted tasks by what the environment declares (settings, `analytics.value`), against the cost of all tasks, by agent and skill. Without a declaration it says so.",
  query: tableQuery,
  output: ValueFigures,
  example: { output: exampleValue },
  handle: (ctx, { query }) => valueFiguresOf(ctx, windowOf(ctx, query), query.limit ?? 50),
});

type Row = ValueFigures["rows"][number];
type Declared = Settings["analytics"]["value"][number];

export async function valueFiguresOf(ctx: ReadContext, window: FigureWindow, limit: number): Promise<ValueFigures> {
  const { filters, from, to, timeZone } = window;
  const answer = await rollup(ctx, {
    measures: ["cost_usd", "tasks", "judged", "accepted_rate"],
    dimensions: ["agent", "skill"],
    filters,
    from,
    to,
    timeZone,
    sort: "-cost_usd",
  });
  const worth = settingsOf(ctx).analytics.value;
  const rows = answer.rows.map((row) => rowOf(row, declaredFor(worth, row), window));
  const declared = rows.filter((row) => row.declared !== null);
  const others = rows.filter((row) => row.declared === null);
  const value = sumOf(declared, "value_usd");
  const cost = sumOf(declared, "cost_usd");
  return {
    ...headOf(window, answer),
    declared: {
      accepted: sumOf(declared, "accepted"),
      minutes_saved: sumOf(declared, "minutes_saved"),
      value_usd: value,
      cost_usd: cost,
      net_usd: value - cost,
      return_on_cost: cost > 0 ? value / cost : null,
    },
    undeclared: {
      tasks: sumOf(others, "tasks"),
      accepted: sumOf(others, "accepted"),
      cost_usd: sumOf(others, "cost_usd"),
    },
    rows: rows.slice(0, limit),
    more: rows.length > limit || answer.more,
    explanation: explained(declared.length, others.length),
  };
}

type Amount = "accepted" | "minutes_saved" | "value_usd" | "cost_usd" | "tasks";
const sumOf = (rows: readonly Row[], of: Amount): number => rows.reduce((sum, row) => sum + (row[of] ?? 0), 0);

function declaredFor(worth: readonly Declared[], { key }: RollupRow): Declared | null {
  const own = worth.filter(({ agent }) => agent === key.agent);
  return own.find(({ skill }) => skill === key.skill) ?? own.find(({ skill }) => skill === undefined) ?? null;
}

function rowOf(row: RollupRow, declared: Declared | null, window: FigureWindow): Row {
  const { key, values } = row;
  const { agent = null, skill = null } = key;
  const cost = values.cost_usd.value ?? 0;
  const accepted = acceptedOf(row);
  const { minutes = 0, usd = 0, usd_per_hour = 0 } = declared ?? {};
  const value = declared && accepted * (usd + (minutes / 60) * usd_per_hour);
  return {
    agent,
    skill,
    declared: declared && {
      minutes: declared.minutes ?? null,
      usd: declared.usd ?? null,
      usd_per_hour: declared.usd_per_hour ?? null,
    },
    tasks: values.tasks.value ?? 0,
    judged: values.judged.value ?? 0,
    accepted,
    minutes_saved: declared && accepted * minutes,
    value_usd: value,
    cost_usd: cost,
    net_usd: value === null ? null : value - cost,
    link: linkOf("tasks", { ...window.filters, agent: [agent], skill: [skill] }, window),
  };
}

function explained(declared: number, others: number): string {
  const counted =
    "Only accepted tasks count as value, and only judged tasks can be accepted; the cost is that of all tasks.";
  if (declared === 0)
    return "No worth of a task is declared, so nothing is said of value: an administrator declares it with PATCH /v1/admin/settings, `analytics.value`.";
  if (others === 0) return counted;
  return `${counted} Nothing is said of the value of rows without a declaration: their cost stands under \`undeclared\`.`;
}
