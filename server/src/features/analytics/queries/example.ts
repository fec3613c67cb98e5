import type { AnalyticsSchema, QueryAnswer, QueryBody } from "./schemas.ts";

const window = { from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" };

export const exampleQuery: QueryBody = {
  measures: ["tasks", "accepted_rate"],
  dimensions: ["agent"],
  where: 'skill == "qualify_lead"',
  ...window,
  sort: "-tasks",
};

const link = `/v1/tasks?${new URLSearchParams({
  task: "qualify_lead",
  agent: "sales",
  created_after: window.from,
  created_before: window.to,
})}`;
export const exampleAnswer: QueryAnswer = {
  ...window,
  time_zone: "UTC",
  grain: null,
  complete: true,
  as_of: "2026-12-02T08:00:00.000Z",
  more: false,
  rows: [
    {
      ...window,
      complete: true,
      key: { agent: "sales" },
      figures: {
        tasks: { value: 1_204, low: null, high: null, n: 1_204, previous: null, link },
        accepted_rate: { value: 0.9, low: 0.8613, high: 0.9289, n: 310, previous: null, link },
      },
    },
  ],
  columns: [
    { name: "from", type: "timestamp", unit: null, of: null, member: null },
    { name: "tasks", type: "int64", unit: "count", of: "tasks", member: "value" },
  ],
};

export const exampleSchema: AnalyticsSchema = {
  measures: [
    {
      name: "accepted_rate",
      family: "tasks",
      unit: "share",
      better: "more",
      interval: true,
      about: "Accepted among judged tasks.",
    },
  ],
  dimensions: [{ name: "agent", families: ["tasks", "steps", "approvals", "violations"], values: ["sales"] }],
  labels: ["team"],
  uncounted_labels: [],
  grains: ["minute", "hour", "day", "week", "month"],
  limits: { windows: 3_000, rows: 50_000, labels: 5, label_columns: 32, label_values: 1_000 },
};
