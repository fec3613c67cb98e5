import type { Budget } from "./schemas.ts";

export const exampleBudget: Budget = {
  scope: "agent:sales",
  limits: [
    {
      unit: "usd",
      period: "month",
      hard: 200,
      warn: 150,
      used: 61.4,
      reserved: 0.6,
      available: 138,
      forecast: 92.1,
      window: { from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" },
      state: "ok",
      updated_at: "2026-10-28T09:30:00.000Z",
    },
    {
      unit: "tasks",
      period: "day",
      hard: 500,
      warn: null,
      used: 500,
      reserved: 0,
      available: 0,
      forecast: 750,
      window: { from: "2026-11-21T00:00:00.000Z", to: "2026-11-22T00:00:00.000Z" },
      state: "exhausted",
      updated_at: "2026-10-28T09:30:00.000Z",
    },
  ],
};
