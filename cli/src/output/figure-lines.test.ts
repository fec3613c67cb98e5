import fc from "fast-check";
import { expect, it } from "vitest";
import type { Terminal } from "../terminal.ts";
import { columnsOfList } from "./columns.ts";
import { amountOf, sparkline } from "./figure-lines.ts";
import { summaryOf } from "./summaries.ts";
import { tableLines } from "./table.ts";

const sink = { write: () => true };
const terminal: Terminal = { stdin: process.stdin, stdout: sink, stderr: sink, env: { NO_COLOR: "1" }, isTTY: false };
const figure = (value: number | null, previous: number | null = null) => ({
  value,
  previous,
  low: null,
  high: null,
  n: 10,
  link: null,
});
const head = {
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-11-20T00:00:00.000Z",
  time_zone: "UTC",
  grain: "day",
  complete: true,
  as_of: "2026-11-20T00:00:00.000Z",
};

it("draws a course from its least to its most, with gaps where there is nothing", () => {
  expect(sparkline([0, 1, null, 7])).toBe("▁▂ █");
  expect(sparkline([3, 3])).toBe("▁▁");
  expect(sparkline([])).toBe("");
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))), (values) => {
      expect(sparkline(values)).toMatch(/^[▁▂▃▄▅▆▇█ ]{0,30}$/);
    }),
  );
});

it.each([
  ["success_rate", 0.9316, "93.2 %"],
  ["cost_usd", 1234.5, "$1,234.50"],
  ["cost_per_task", 0.00451, "$0.0045"],
  ["duration_p90", 11.8, "12 s"],
  ["tasks", 12_000, "12,000"],
  ["trust_mean", null, "–"],
])("tells %s %s as %s", (name, value, text) => {
  expect(amountOf(name, value)).toBe(text);
});

it("sums up costs with rows, budgets and the forecast", () => {
  const body = {
    ...head,
    figures: { cost_usd: figure(20, 10), tasks: figure(5, 0) },
    by: "agent",
    more: false,
    series: [{ values: { cost_usd: 5 } }, { values: { cost_usd: 15 } }],
    rows: [{ key: { agent: "sales" }, figures: { cost_usd: figure(20), tasks: figure(5) } }],
    budgets: [{ scope: "agent:sales", unit: "usd", period: "month", used: 20, limit: 40, share: 0.5, state: "ok" }],
    forecast: {
      spent_usd: 20,
      explanation: "By weekdays.",
      to: "2026-12-01T00:00:00.000Z",
      backtest: null,
      total: { value: 30, low_80: 28, high_80: 32, low_95: 26, high_95: 34 },
    },
  };
  const text = (summaryOf("analytics.readCosts", body, terminal) ?? []).join("\n");
  expect(text).toMatch(/cost_usd +\$20\.00 +\$10\.00 +\+100 % +▁█/);
  expect(text).toMatch(/tasks +5 +0 +–\n/);
  expect(text).toMatch(/sales +\$20\.00 +5/);
  expect(text).toContain("budget agent:sales: $20.00 of $40.00 a month (50 %), ok");
  expect(text).toContain("$30.00 (80 %: $28.00 to $32.00, 95 %: $26.00 to $34.00)");
});

it("shows a bill in millionths of a dollar with its total", () => {
  const line = { tasks: 1, tokens: 2, cost_usd: 0.000001, cost_microusd: 1, share: 1, link: null };
  const bill = { month: "2026-10", time_zone: "UTC", by: "label:customer", complete: false };
  const lines = summaryOf(
    "analytics.readChargeback",
    { ...bill, lines: [{ value: "acme", ...line }], total: line },
    terminal,
  );
  expect(lines?.[0]).toBe("2026-10 in UTC, by label:customer; not complete yet");
  expect(lines?.[2]).toMatch(/^acme +1 +2 +\$0\.000001 +100 %$/);
  expect(lines?.[3]).toMatch(/^total +1 +2 +\$0\.000001/);
});

it("shows the answer of a query as a table with a column a measure and their intervals", () => {
  const column = (name: string, of: string | null, member: string | null) => ({ name, of, member });
  const row = {
    ...head,
    key: { agent: "sales", "label:team": null },
    figures: { tasks: figure(12, 8), accepted_rate: { ...figure(0.9), low: 0.8613, high: 0.9289 } },
  };
  const body = {
    ...head,
    grain: null,
    more: true,
    rows: [row],
    columns: [
      column("from", null, null),
      column("complete", null, null),
      column("agent", "agent", null),
      column("label:team", "label:team", null),
      column("tasks", "tasks", "value"),
      column("tasks_n", "tasks", "n"),
      column("tasks_previous", "tasks", "previous"),
      column("accepted_rate", "accepted_rate", "value"),
      column("accepted_rate_low", "accepted_rate", "low"),
    ],
  };
  const lines = summaryOf("analytics.queryFigures", body, terminal);
  expect(lines?.[1]).toMatch(/^AGENT +LABEL:TEAM +TASKS +BEFORE +ACCEPTED_RATE +95 %$/);
  expect(lines?.[2]).toMatch(/^sales +– +12 +8 +90 % +86\.1 % to 92\.9 %$/);
  expect(lines?.[3]).toContain("--limit");
  expect(summaryOf("analytics.queryFigures", { ...body, grain: "day" }, terminal)?.[1]).toMatch(/^FROM +AGENT/);
});

it("lists alerts with their value in the unit of its measure", () => {
  const rows = [{ alert_id: "alr_1", measure: "accepted_rate", value: 0.70253164556962 }];
  expect(tableLines(rows, columnsOfList("analytics.listAlerts", rows), terminal)[1]).toContain("70.3 %");
});
