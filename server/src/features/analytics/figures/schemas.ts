import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { familyDimensions } from "../rollups/measures.ts";
import { Breakdown, Figure, Point, TimeZone, windowHead, windowQuery } from "./window-schemas.ts";

// What the operations over tasks, costs, tools and models answer.

const figures = <Name extends string>(...names: readonly Name[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Figure])) as Record<Name, typeof Figure>, {
    description: "By the name of the measure.",
  });
const Series = Type.Array(Point, { description: "The measures window by window, oldest first." });
const Rows = Type.Array(Breakdown);
const More = Type.Boolean({ description: "Whether there are more rows than `limit`." });

const By = Type.String({
  pattern: `^(${familyDimensions.tasks.join("|")}|label:.+)$`,
  description: `A dimension that rows are grouped by: ${familyDimensions.tasks.map((name) => `\`${name}\``).join(", ")}, or a declared label, \`label:<name>\`.`,
});
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: "Rows at most; default 50." }));

export const figureQuery = Type.Object(windowQuery, closed);
export const tableQuery = Type.Object({ ...windowQuery, limit: Limit }, closed);
export const breakdownQuery = Type.Object({ ...windowQuery, by: Type.Optional(By), limit: Limit }, closed);
const { agent: _agent, ...ownWindow } = windowQuery;
export const agentFigureQuery = Type.Object(ownWindow, closed);

export const overviewMeasures = [
  "tasks",
  "completed",
  "failed",
  "success_rate",
  "accepted_rate",
  "trust_mean",
  "cost_usd",
  "duration_p50",
  "approvals",
  "blocked",
  "policy_denials",
  "pause_blocks",
  "kill_switch_blocks",
  "gate_blocks",
  "budget_blocks",
] as const;
export const BudgetUse = Type.Object(
  {
    scope: Type.String({ description: "What it covers: `environment`, `agent:…`, `key:…` or `member:…`." }),
    name: Type.String({ description: "The same in words, with the names of keys and members." }),
    unit: Type.String(),
    period: Type.String(),
    used: Type.Number(),
    limit: Type.Number({ description: "The hard limit, or the warning level where there is none." }),
    share: nullable(Type.Number(), "Used of the limit; null: the limit is 0."),
    forecast: nullable(Type.Number(), "What will have been used at the end of its window if it goes on as before."),
    state: Type.String({ description: "`ok`, `warning` or `exhausted`." }),
    resets_at: nullable(Time, "When the next window starts; null: never."),
  },
  { description: "How far a limit of a budget is used up in its present window." },
);
export type BudgetUse = Static<typeof BudgetUse>;
export const RunningCanary = Type.Object(
  {
    deployment: Type.String(),
    agent: Type.String(),
    version: Type.Integer(),
    share: nullable(Type.Number(), "Percent of new tasks that it gets."),
    since: Time,
    link: Type.String({ description: "Where both arms are compared." }),
  },
  { description: "A canary that gets new tasks." },
);
export const FiringAlert = Type.Object(
  {
    alert: Type.String(),
    name: Type.String(),
    since: Time,
    link: Type.String({ description: "Where the alert is read." }),
  },
  { description: "An alert that fires." },
);
const needs = (permission: string): string => `Null: the caller lacks \`${permission}\`.`;
export const Waiting = Type.Object(
  {
    approvals: nullable(Count("Approvals that wait for people."), needs("approvals:read")),
    questions: nullable(Count("Tasks that wait for an answer."), needs("tasks:read")),
    running: nullable(Count("Tasks that run."), needs("tasks:read")),
    queued: nullable(Count("Tasks that wait for a worker."), needs("tasks:read")),
    oldest_approval_at: nullable(
      Time,
      "Since when the oldest approval waits; null: none waits, or the caller lacks `approvals:read`.",
    ),
    counted_to: Type.Integer({ description: "Each is counted up to this number." }),
  },
  { description: "What is open at this moment, whatever the window." },
);
export type Waiting = Static<typeof Waiting>;
export const Overview = Type.Object(
  {
    ...windowHead,
    figures: figures(...overviewMeasures),
    series: Series,
    now: Waiting,
    budgets: Type.Array(BudgetUse, { description: "Limits that are used to four fifths or to their warning level." }),
    canaries: nullable(Type.Array(RunningCanary), needs("agents:read")),
    withheld: Type.Array(Type.Object({ part: Type.String(), permission: Type.String() }), {
      description: "Parts that are null because the caller lacks the permission that reading them takes.",
    }),
    alerts: Type.Array(FiringAlert),
  },
  { description: "One screen of figures." },
);
export type Overview = Static<typeof Overview>;

export const usageMeasures = [
  "tasks",
  "completed",
  "failed",
  "open",
  "success_rate",
  "duration_p50",
  "duration_p90",
  "duration_p99",
  "queue_time_p50",
  "queue_time_p90",
  "queue_time_p99",
  "tokens",
  "steps",
  "tool_calls",
] as const;
export const Usage = Type.Object(
  {
    ...windowHead,
    figures: figures(...usageMeasures),
    series: Series,
    by: nullable(Type.String(), "What the rows are grouped by; null: not grouped."),
    rows: Rows,
    more: More,
  },
  { description: "How much was done, how fast, with how many tokens." },
);
export type Usage = Static<typeof Usage>;

export const costMeasures = ["cost_usd", "tasks", "cost_per_task", "cost_per_accepted", "tokens"] as const;
const Interval = {
  value: Type.Number(),
  low_80: Type.Number(),
  high_80: Type.Number(),
  low_95: Type.Number(),
  high_95: Type.Number(),
};
export const ForecastAmount = Type.Object(Interval, {
  description: "An expected amount with its 80 % and 95 % intervals.",
});
export type ForecastAmount = Static<typeof ForecastAmount>;
const Usd = (description: string) => Type.Number({ description });
export const LedgerFigures = Type.Object(
  {
    spent_usd: Usd(
      "What was spent in the window: `tasks_usd` - `spent_later_usd` + `earlier_tasks_usd` + `outside_usd`.",
    ),
    tasks_usd: Usd("What the tasks cost so far that were dispatched in the window, open ones too: `figures.cost_usd`."),
    spent_later_usd: Usd("Of that, what was spent after the window."),
    earlier_tasks_usd: Usd("Spent in the window by tasks that were dispatched before it."),
    outside_usd: Usd(
      "Spent in the window outside of tasks, such as by evaluations, training and vectors of knowledge. With a skill or label as a filter 0.",
    ),
    outside: Type.Array(
      Type.Object({
        operation: Type.String({ description: "What for: the operation that spent." }),
        entries: Type.Integer({ description: "How often." }),
        spent_usd: Type.Number(),
      }),
      { description: "The same by what it was spent for, most first." },
    ),
  },
  {
    description:
      "How the cost of tasks comes to what was spent in the window. Whole millionths of a dollar: the sums are exact.",
  },
);
export const BudgetSpend = Type.Object(
  {
    ...BudgetUse.properties,
    tasks_usd: Usd("Of what is used: spent by tasks, whenever they were dispatched."),
    outside_usd: Usd("Of what is used: spent outside of tasks."),
    unlisted_usd: Usd("Of what is used: counted before the service kept a ledger. 0 in windows that began later."),
  },
  {
    description:
      "How far a limit of money is used up in its present window, and on what. The parts sum exactly to what is used.",
  },
);
export type BudgetSpend = Static<typeof BudgetSpend>;
export const CostForecast = Type.Object(
  {
    method: nullable(
      Type.Enum(["trend_and_weekdays", "seasonal_naive"]),
      "`trend_and_weekdays`: level, trend and effects of weekdays by least squares over the last days; `seasonal_naive`: below two weeks, what was spent a week before, else the mean. Null: too few days.",
    ),
    explanation: Type.String({ description: "What it rests on, or why there is none." }),
    from: Time,
    to: Type.String({ format: "date-time", description: "End of the month in the time zone." }),
    spent_usd: Type.Number({ description: "Spent in the month so far." }),
    total: nullable(ForecastAmount, "Of the whole month in US dollars; null: too few days to say."),
    days: Type.Array(Type.Object({ from: Time, to: Time, ...Interval }), {
      description: "Days that are still to come.",
    }),
    learnt_from_days: Type.Integer({ description: "Whole days that it was learnt from." }),
    backtest: nullable(
      Type.Object({
        forecasts: Type.Integer({
          description: "Backtest: forecasts of past weeks, each from what was known before it.",
        }),
        mean_absolute_error: Type.Number({ description: "Of the sum of a week, in US dollars." }),
        relative_error: nullable(Type.Number(), "The same as a share of what was spent; null: nothing was."),
        covered_80: Type.Number({ description: "Share of days that fell into the 80 % interval." }),
        covered_95: Type.Number({ description: "Share of days that fell into the 95 % interval." }),
      }),
      "How good it was on the last weeks; null: too few of them.",
    ),
  },
  { description: "What the month will cost, of tasks, keys, agents and labels that the call looks at." },
);
export type CostForecast = Static<typeof CostForecast>;
export const Costs = Type.Object(
  {
    ...windowHead,
    figures: figures(...costMeasures),
    series: Series,
    by: Type.String({ description: "What the rows are grouped by." }),
    rows: Rows,
    more: More,
    ledger: LedgerFigures,
    budgets: Type.Array(BudgetSpend, {
      description:
        "Limits of money that the key may see. Their windows are those of UTC, and begin when they say, not with the window that is asked for.",
    }),
    forecast: CostForecast,
  },
  { description: "What was spent, on what, and what the month will cost." },
);
export type Costs = Static<typeof Costs>;

export const agentMeasures = [
  "tasks",
  "success_rate",
  "judged",
  "accepted_rate",
  "trust_mean",
  "trust_calibration_error",
  "cost_usd",
  "cost_per_task",
  "cost_per_accepted",
  "duration_p50",
  "duration_p90",
  "approvals",
  "edit_rate",
  "override_rate",
] as const;
export const FailureCount = Type.Object({
  code: Type.String({ description: "The failure's code." }),
  tasks: Type.Integer(),
  latest: Type.String({ description: "The newest such task." }),
});
export const AgentVersionFigures = Type.Object({
  version_id: nullable(Type.String(), "Null: versions beyond the dimension's limit."),
  version: nullable(Type.Integer(), "Its number."),
  live: Type.Boolean(),
  figures: figures(...agentMeasures),
});
export const AgentFigures = Type.Object(
  {
    ...windowHead,
    agent: Type.String(),
    figures: figures(...agentMeasures),
    series: Series,
    versions: Type.Array(AgentVersionFigures, { description: "Newest first." }),
    skills: Type.Array(Breakdown, { description: "Where it fails: skills, those with most failed tasks first." }),
    failures: Type.Object(
      {
        tasks: Type.Integer({ description: "How many failed tasks were looked at, the newest of the window." }),
        more: Type.Boolean({ description: "Whether there are more of them." }),
        codes: Type.Array(FailureCount, { description: "Most frequent first." }),
      },
      { description: "What failed tasks failed with." },
    ),
  },
  { description: "An agent's figures by version and skill, in the environment of the key." },
);
export type AgentFigures = Static<typeof AgentFigures>;

export const funnelStages = ["dispatched", "started", "completed", "judged", "accepted"] as const;
export const TaskFunnel = Type.Object(
  {
    ...windowHead,
    stages: Type.Array(
      Type.Object({
        stage: Type.Enum(funnelStages),
        tasks: Figure,
        of_dispatched: nullable(Type.Number(), "Share of all that were dispatched; null: none."),
        of_before: nullable(Type.Number(), "Share of those of the stage before; null: none."),
      }),
      { description: "In their order. Judged and accepted: among completed ones." },
    ),
    dropped: Type.Array(
      Type.Object({
        before: Type.Enum(funnelStages, { description: "The stage that they did not reach." }),
        reason: Type.String({
          description: "`open`, a final state of the task, `not_judged` or `not_accepted`.",
        }),
        tasks: Type.Number(),
        link: nullable(Type.String(), "Where they are listed; null where no list tells them apart."),
      }),
      { description: "Where tasks were lost, and why." },
    ),
  },
  { description: "What became of dispatched tasks." },
);
export type TaskFunnel = Static<typeof TaskFunnel>;

export const ValueRow = Type.Object({
  agent: nullable(Type.String()),
  skill: nullable(Type.String()),
  declared: nullable(
    Type.Object({
      minutes: nullable(Type.Number(), "Minutes of work that an accepted task saves."),
      usd_per_hour: nullable(Type.Number(), "What an hour of that work costs, in US dollars."),
      usd: nullable(Type.Number(), "What an accepted task is worth besides, in US dollars."),
    }),
    "Worth of an accepted task by the settings of the environment (`analytics.value`); null: nobody declared one.",
  ),
  tasks: Type.Integer(),
  judged: Type.Integer(),
  accepted: Type.Number({ description: "Accepted among judged tasks; partly accepted ones count in part." }),
  minutes_saved: nullable(Type.Number(), "Null: not declared."),
  value_usd: nullable(Type.Number(), "Null: not declared."),
  cost_usd: Type.Number({ description: "Of all tasks, judged or not." }),
  net_usd: nullable(Type.Number(), "Value less cost; null: not declared."),
  link: nullable(Type.String()),
});
export const ValueFigures = Type.Object(
  {
    ...windowHead,
    declared: Type.Object(
      {
        accepted: Type.Number(),
        minutes_saved: Type.Number(),
        value_usd: Type.Number(),
        cost_usd: Type.Number(),
        net_usd: Type.Number(),
        return_on_cost: nullable(Type.Number(), "Value by cost; null: nothing was spent."),
      },
      { description: "Sum over agents and skills whose worth is declared." },
    ),
    undeclared: Type.Object(
      { tasks: Type.Integer(), accepted: Type.Number(), cost_usd: Type.Number() },
      { description: "Sum over the others: nothing is said of their value." },
    ),
    rows: Type.Array(ValueRow, { description: "By agent and skill, most expensive first." }),
    more: More,
    explanation: Type.String(),
  },
  { description: "Declared worth of accepted tasks against the cost of all." },
);
export type ValueFigures = Static<typeof ValueFigures>;

export const toolMeasures = [
  "tool_uses",
  "step_failures",
  "step_cost_usd",
  "step_duration_p50",
  "step_duration_p90",
] as const;
export const ToolUse = Type.Object(
  {
    ...windowHead,
    figures: figures(...toolMeasures),
    series: Series,
    rows: Type.Array(Breakdown, { description: "By `name` of the tool, most used first." }),
    more: More,
  },
  { description: "Calls of tools: how many, how many failed, how long they took." },
);
export type ToolUse = Static<typeof ToolUse>;

export const modelMeasures = [...toolMeasures, "step_tokens"] as const;
export const ModelUse = Type.Object(
  {
    ...windowHead,
    figures: figures(...modelMeasures),
    series: Series,
    rows: Type.Array(
      Type.Object({
        model: nullable(Type.String(), "`other`: beyond the dimension's limit."),
        share: nullable(Type.Number(), "Of all turns; null: there were none."),
        usd_per_million_tokens: nullable(Type.Number(), "What a million of its tokens cost; null: it used none."),
        figures: figures(...modelMeasures),
      }),
      { description: "Most used first." },
    ),
    more: More,
  },
  { description: "Turns of models: mix, price, latency, tokens, failures." },
);
export type ModelUse = Static<typeof ModelUse>;

// What a month's bill says.

export const chargebackQuery = Type.Object(
  {
    month: Type.Optional(
      Type.String({
        pattern: "^20\\d{2}-(0[1-9]|1[0-2])$",
        description: "Of the years 2000 to 2099, such as `2026-10`; default: the present month.",
      }),
    ),
    time_zone: Type.Optional(TimeZone),
    by: Type.Optional(
      Type.String({
        pattern: "^(agent|key|member|label:.+)$",
        description: "Who is charged: `agent`, `key`, `member`, or a declared label, `label:<name>`. Default `member`.",
      }),
    ),
  },
  closed,
);
export const ChargebackLine = Type.Object({
  value: nullable(Type.String(), "The agent, key, member or label's value; `other`: beyond the limit; null: none."),
  name: nullable(Type.String(), "What it is called, where the value is an id; null: as the value says."),
  tasks: Type.Integer(),
  tokens: Type.Integer(),
  cost_usd: Type.Number(),
  cost_microusd: Type.Integer({ description: "Millionths of a US dollar: the lines sum exactly to the total." }),
  share: nullable(Type.Number(), "Of the total; null: nothing was spent."),
  link: nullable(Type.String(), "Where its tasks are listed; null where no list tells them apart."),
});
export const Chargeback = Type.Object(
  {
    month: Type.String(),
    from: Time,
    to: Time,
    time_zone: Type.String(),
    by: Type.String(),
    complete: Type.Boolean({ description: "False: the month is not over, or tasks of it are still open." }),
    as_of: Time,
    currency: Type.Literal("USD"),
    lines: Type.Array(ChargebackLine, { description: "Most expensive first." }),
    total: Type.Object({
      tasks: Type.Integer(),
      tokens: Type.Integer(),
      cost_usd: Type.Number(),
      cost_microusd: Type.Integer(),
    }),
    outside: Type.Object(
      { cost_usd: Type.Number(), cost_microusd: Type.Integer(), entries: Type.Integer() },
      { description: "Spent in the month outside of tasks, such as by evaluations and training; not part of `total`." },
    ),
  },
  { description: "A month's bill. A task counts in the month in which it was dispatched." },
);
export type Chargeback = Static<typeof Chargeback>;
