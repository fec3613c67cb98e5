import { setImmediate } from "node:timers/promises";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { linkOf } from "../figures/link.ts";
import type { FigureWindow } from "../figures/window.ts";
import { type RollupRow, rollup } from "../rollups/rollup.ts";
import {
  anomalyRules,
  findSilences,
  type HourSeries,
  type JudgedHour,
  judgeHours,
  type Silence,
  weeksBefore,
} from "./anomaly-rules.ts";
import type { Anomaly, anomalyKinds } from "./schemas.ts";

export type AnomalyKind = (typeof anomalyKinds)[number];

const hour = 3_600_000;
const mostAgents = 10;
const mostTold = 100;

export const anomalyMethod =
  "Each hour is compared with the same hours of the six weeks before and those beside them, at least four weeks: its distance from their median in median absolute deviations, after a transformation that evens out the spread, by Student's t. Silence is a run of hours without tasks where every earlier week had some, by Poisson's distribution widened to how those weeks scattered. The level holds over all hours of an answer (Bonferroni).";

interface AgentSeries {
  readonly agent: string;
  readonly begin: number;
  readonly series: Readonly<Record<Exclude<AnomalyKind, "silence">, HourSeries>>;
}

const asked = ["tasks", "cost_usd", "steps", "failed"] as const;

export async function findAnomalies(ctx: ReadContext, window: FigureWindow) {
  const from = Math.floor(window.from / hour) * hour;
  const to = Math.min(Math.floor(window.to / hour) * hour, Math.floor(ctx.now / hour) * hour);
  const begin = from - (anomalyRules.weeks * 7 * 24 + 1) * hour;
  const filters = { ...window.filters, agent: await busiestAgents(ctx, window) };
  const answer = await rollup(ctx, {
    measures: asked,
    dimensions: ["agent"],
    filters,
    from: begin,
    to: Math.max(to, begin + hour),
    grain: "hour",
  });
  const agents = agentsOf(answer.rows).map(([agent, rows]) => seriesOf(agent, rows, { begin, from, to }));
  const judged = [];
  for (const agent of agents) {
    judged.push(judgeAgent(agent));
    await setImmediate();
  }
  const hours = judged.reduce((sum, one) => sum + one.hours, 0);
  const rare = anomalyRules.level / Math.max(1, hours);
  const anomalies = judged.flatMap((one) => one.found(window, rare));
  return {
    complete: answer.complete,
    asOf: answer.asOf,
    hours,
    agents: agents.map(({ agent, series: { volume } }) => {
      const weeks = weeksBefore(volume);
      return { agent, weeks, enough: weeks >= anomalyRules.leastWeeks };
    }),
    anomalies: anomalies.sort((a, b) => a.p_value - b.p_value).slice(0, mostTold),
  };
}

/** Agents with the most tasks in the window and the weeks before: hour by hour, more of them would take too long. */
async function busiestAgents(ctx: ReadContext, { from, to, filters }: FigureWindow): Promise<string[]> {
  const since = from - anomalyRules.weeks * 7 * 24 * hour;
  const asking = { measures: ["tasks"], dimensions: ["agent"], filters, from: since, to } as const;
  const { rows } = await rollup(ctx, { ...asking, sort: "-tasks", limit: mostAgents + 2 });
  return rows.flatMap(({ key: { agent } }) => (agent && agent !== "other" ? [agent] : [])).slice(0, mostAgents);
}

function agentsOf(rows: readonly RollupRow[]): [string, RollupRow[]][] {
  const named = rows.filter(({ key }) => key.agent !== null && key.agent !== undefined && key.agent !== "other");
  const total = (own: readonly RollupRow[]) => own.reduce((sum, { values }) => sum + (values.tasks.value ?? 0), 0);
  return [...Map.groupBy(named, ({ key }) => key.agent as string)].sort(([, a], [, b]) => total(b) - total(a));
}

interface Times {
  readonly begin: number;
  readonly from: number;
  readonly to: number;
}

function seriesOf(agent: string, rows: readonly RollupRow[], { begin, from, to }: Times): AgentSeries {
  const length = Math.max(0, (to - begin) / hour);
  const at = (from - begin) / hour;
  const values = (name: (typeof asked)[number]): number[] => {
    const series = new Array<number>(length).fill(0);
    for (const row of rows) series[(row.from - begin) / hour] = row.values[name].value ?? 0;
    return series.slice(0, length);
  };
  const [tasks, steps] = [values("tasks"), values("steps")];
  const perTask = tasks.map((n, index) => (n === 0 ? null : (steps[index] as number) / n));
  return {
    agent,
    begin,
    series: {
      cost: { values: values("cost_usd"), from: at, kind: "amount" },
      steps_per_task: { values: perTask, from: at, kind: "amount" },
      volume: { values: tasks, from: at, kind: "count" },
      failures: { values: values("failed"), from: at, kind: "count" },
    },
  };
}

function judgeAgent({ agent, begin, series }: AgentSeries) {
  const judged = Object.entries(series).map(([kind, one]) => [kind as AnomalyKind, judgeHours(one)] as const);
  const silences = findSilences(series.volume);
  return {
    hours: judged.reduce((sum, [, hours]) => sum + hours.length, 0) + silences.length,
    found: (window: FigureWindow, rare: number): Anomaly[] => [
      ...judged.flatMap(([kind, hours]) =>
        hours.filter(({ pHigh }) => pHigh <= rare).map((one) => anomalyOf(kind, agent, begin, one, window)),
      ),
      ...silences.filter(({ p }) => p <= rare).map((one) => silenceOf(agent, begin, one, window)),
    ],
  };
}

const sentences: Readonly<Record<Exclude<AnomalyKind, "silence">, (value: string, usual: string) => string>> = {
  cost: (value, usual) => `spent ${value} US dollars, where ${usual} is usual`,
  steps_per_task: (value, usual) => `took ${value} steps for a task, where ${usual} is usual`,
  volume: (value, usual) => `got ${value} tasks, where ${usual} is usual`,
  failures: (value, usual) => `failed in ${value} tasks, where ${usual} is usual`,
};
const measureOf = {
  cost: "cost_usd",
  steps_per_task: "tasks",
  volume: "tasks",
  failures: "failed",
  silence: "tasks",
} as const;

const brief = (value: number): string => String(Number(value.toPrecision(3)));
const within = (from: number, to: number): string =>
  `between ${timestamp(from).slice(0, 16).replace("T", " ")} and ${timestamp(to).slice(0, 16).replace("T", " ")} UTC`;

function anomalyOf(
  kind: AnomalyKind,
  agent: string,
  begin: number,
  { hour: at, observed, expected, low, high, n, pHigh }: JudgedHour,
  window: FigureWindow,
): Anomaly {
  const from = begin + at * hour;
  const what = sentences[kind as keyof typeof sentences](brief(observed), brief(expected));
  return {
    kind,
    agent,
    ...placed(kind, agent, from, from + hour, window),
    observed,
    expected,
    low,
    high,
    n,
    p_value: pHigh,
    text: `${agent} ${what}, ${within(from, from + hour)}.`,
  };
}

function silenceOf(agent: string, begin: number, silence: Silence, window: FigureWindow): Anomaly {
  const [from, to] = [begin + silence.from * hour, begin + silence.to * hour];
  return {
    kind: "silence",
    agent,
    ...placed("silence", agent, from, to, window),
    observed: 0,
    expected: silence.expected,
    low: 0,
    high: 0,
    n: silence.n,
    p_value: silence.p,
    text: `${agent} got no tasks ${within(from, to)}, where ${brief(silence.expected)} are usual.`,
  };
}

const placed = (kind: AnomalyKind, agent: string, from: number, to: number, { filters }: FigureWindow) => ({
  from: timestamp(from),
  to: timestamp(to),
  link: linkOf(measureOf[kind], { ...filters, agent: [agent] }, { from, to }),
});
