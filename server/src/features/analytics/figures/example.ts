import {
  type AgentFigures,
  agentMeasures,
  type Chargeback,
  type Costs,
  costMeasures,
  type ModelUse,
  modelMeasures,
  type Overview,
  overviewMeasures,
  type TaskFunnel,
  type ToolUse,
  toolMeasures,
  type Usage,
  usageMeasures,
  type ValueFigures,
} from "./schemas.ts";
import type { Figure, Point } from "./window-schemas.ts";

const from = "2026-10-21T09:30:00.000Z";
const to = "2026-11-20T09:30:00.000Z";
const head = { from, to, time_zone: "UTC", grain: "day", complete: false, as_of: to } as const;
const range = "created_after=2026-10-21T09%3A30%3A00.000Z&created_before=2026-11-20T09%3A30%3A00.000Z";

const values: Readonly<Record<string, number>> = {
  tasks: 412,
  completed: 371,
  failed: 12,
  open: 9,
  success_rate: 0.93,
  accepted_rate: 0.91,
  judged: 240,
  trust_mean: 0.88,
  trust_calibration_error: 0.03,
  cost_usd: 18.4,
  cost_per_task: 0.045,
  cost_per_accepted: 0.08,
  duration_p50: 4.2,
  duration_p90: 11.8,
  duration_p99: 30.5,
  queue_time_p50: 0.1,
  queue_time_p90: 0.4,
  queue_time_p99: 1.9,
  tokens: 1_204_000,
  steps: 1_630,
  tool_calls: 820,
  approvals: 60,
  blocked: 4,
  policy_denials: 3,
  pause_blocks: 1,
  edit_rate: 0.12,
  override_rate: 0.08,
  tool_uses: 820,
  step_failures: 0.02,
  step_cost_usd: 18.4,
  step_duration_p50: 0.9,
  step_duration_p90: 2.4,
  step_tokens: 1_204_000,
};
const figure = (name: string): Figure => {
  const value = values[name] ?? 0;
  return { value, low: null, high: null, n: 412, previous: value, link: `/v1/tasks?${range}` };
};
const figures = <M extends string>(names: readonly M[]): Record<M, Figure> =>
  Object.fromEntries(names.map((name) => [name, figure(name)])) as Record<M, Figure>;
const series = (names: readonly string[]): Point[] => [
  {
    from: "2026-11-20T00:00:00.000Z",
    to,
    complete: false,
    values: Object.fromEntries(names.map((name) => [name, values[name] ?? 0])),
  },
];

export const exampleOverview: Overview = {
  ...head,
  figures: figures(overviewMeasures),
  series: series(overviewMeasures),
  now: { approvals: 3, questions: 1, running: 2, queued: 0, oldest_approval_at: from, counted_to: 10_000 },
  budgets: [
    {
      scope: "agent:sales",
      name: "sales",
      unit: "usd",
      period: "month",
      used: 41.5,
      limit: 50,
      share: 0.83,
      forecast: 63.2,
      state: "ok",
      resets_at: "2026-12-01T00:00:00.000Z",
    },
  ],
  canaries: [],
  withheld: [],
  alerts: [],
};
export const exampleUsage: Usage = {
  ...head,
  figures: figures(usageMeasures),
  series: series(usageMeasures),
  by: "agent",
  more: false,
  rows: [{ key: { agent: "sales" }, figures: figures(usageMeasures) }],
};
const amount = { value: 27.9, low_80: 25.1, high_80: 30.7, low_95: 23.4, high_95: 32.4 };
export const exampleCosts: Costs = {
  ...head,
  figures: figures(costMeasures),
  series: series(costMeasures),
  by: "agent",
  more: false,
  rows: [{ key: { agent: "sales" }, figures: figures(costMeasures) }],
  ledger: {
    spent_usd: 19.9,
    tasks_usd: 18.4,
    spent_later_usd: 0,
    earlier_tasks_usd: 0.3,
    outside_usd: 1.2,
    outside: [{ operation: "tasks.tryModel", entries: 40, spent_usd: 1.2 }],
  },
  budgets: exampleOverview.budgets.map((use) => ({ ...use, tasks_usd: 40.3, outside_usd: 1.2, unlisted_usd: 0 })),
  forecast: {
    method: "trend_and_weekdays",
    explanation: "Level, trend and effects of weekdays by least squares.",
    from: "2026-11-01T00:00:00.000Z",
    to: "2026-12-01T00:00:00.000Z",
    spent_usd: 18.4,
    total: amount,
    days: [{ from: "2026-11-20T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z", ...amount, value: 0.9 }],
    learnt_from_days: 40,
    backtest: {
      forecasts: 3,
      mean_absolute_error: 0.6,
      relative_error: 0.09,
      covered_80: 0.81,
      covered_95: 0.95,
    },
  },
};
export const exampleAgentFigures: AgentFigures = {
  ...head,
  agent: "sales",
  figures: figures(agentMeasures),
  series: series(agentMeasures),
  versions: [{ version_id: "ver_01jd8x00000000000000000000", version: 4, live: true, figures: figures(agentMeasures) }],
  skills: [{ key: { skill: "qualify_lead" }, figures: figures([...agentMeasures, "failed"]) }],
  failures: {
    tasks: 12,
    more: false,
    codes: [{ code: "model_unavailable", tasks: 12, latest: "tsk_01jd8x00000000000000000000" }],
  },
};
const stage = (name: TaskFunnel["stages"][number]["stage"], value: number) => ({
  stage: name,
  tasks: { ...figure("tasks"), value },
  of_dispatched: value / 412,
  of_before: null,
});
export const exampleTaskFunnel: TaskFunnel = {
  ...head,
  stages: [
    stage("dispatched", 412),
    stage("started", 400),
    stage("completed", 371),
    stage("judged", 228),
    stage("accepted", 210),
  ],
  dropped: [{ before: "completed", reason: "failed", tasks: 12, link: `/v1/tasks?status=failed&${range}` }],
};
export const exampleValue: ValueFigures = {
  ...head,
  declared: {
    accepted: 210,
    minutes_saved: 2_520,
    value_usd: 1_680,
    cost_usd: 18.4,
    net_usd: 1_661.6,
    return_on_cost: 91.3,
  },
  undeclared: { tasks: 0, accepted: 0, cost_usd: 0 },
  rows: [
    {
      agent: "sales",
      skill: "qualify_lead",
      declared: { minutes: 12, usd_per_hour: 40, usd: null },
      tasks: 412,
      judged: 240,
      accepted: 210,
      minutes_saved: 2_520,
      value_usd: 1_680,
      cost_usd: 18.4,
      net_usd: 1_661.6,
      link: `/v1/tasks?agent=sales&task=qualify_lead&${range}`,
    },
  ],
  more: false,
  explanation: "Only accepted tasks count as value; the cost is that of all tasks.",
};
export const exampleToolUse: ToolUse = {
  ...head,
  figures: figures(toolMeasures),
  series: series(toolMeasures),
  more: false,
  rows: [{ key: { name: "crm_lookup" }, figures: figures(toolMeasures) }],
};
export const exampleModelUse: ModelUse = {
  ...head,
  figures: figures(modelMeasures),
  series: series(modelMeasures),
  more: false,
  rows: [{ model: "gpt-5", share: 1, usd_per_million_tokens: 15.28, figures: figures(modelMeasures) }],
};
const bill = { tasks: 412, tokens: 1_204_000, cost_usd: 18.4, cost_microusd: 18_400_000 };
export const exampleChargeback: Chargeback = {
  month: "2026-10",
  from: "2026-10-01T00:00:00.000Z",
  to: "2026-11-01T00:00:00.000Z",
  time_zone: "UTC",
  by: "label:customer",
  complete: true,
  as_of: to,
  currency: "USD",
  total: bill,
  outside: { cost_usd: 1.2, cost_microusd: 1_200_000, entries: 40 },
  lines: [{ value: "acme", name: null, ...bill, share: 1, link: `/v1/tasks?label=customer%3Aacme&${range}` }],
};
