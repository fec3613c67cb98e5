import { describe, expect, it } from "vitest";
import { exhausted, formatAmount, neverFits, reservedByOthers } from "./errors.ts";
import { amountOf, demandOf, forecastOf, parseBudgetScope, stateOf, wholeOf, windowAt } from "./rules.ts";

const at = (text: string) => Date.parse(text);
const window = (from: string, to: string) => ({ from: at(from), to: at(to) });

describe("the windows of UTC", () => {
  it("are whole hours, days and months, and one without end for a total", () => {
    const now = at("2028-02-29T23:30:00.500Z");
    expect(windowAt("hour", now, 0)).toEqual(window("2028-02-29T23:00:00Z", "2028-03-01T00:00:00Z"));
    expect(windowAt("day", now, 0)).toEqual(window("2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"));
    expect(windowAt("month", now, 0)).toEqual(window("2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"));
    expect(windowAt("month", at("2028-12-31T23:59:59.999Z"), 0)).toEqual(
      window("2028-12-01T00:00:00Z", "2029-01-01T00:00:00Z"),
    );
    expect(windowAt("total", now, 77)).toEqual({ from: 77, to: null });
  });
});

describe("amounts", () => {
  it("of money are whole millionths, rounded up, and as exact as they were given", () => {
    for (const [usd, whole] of [
      [0.03, 30_000],
      [0.07, 70_000],
      [0.000001, 1],
      [0.0000001, 1],
      [1.1, 1_100_000],
      [0, 0],
    ] as const) {
      expect(wholeOf("usd", usd)).toBe(whole);
    }
    expect(amountOf("usd", 30_000)).toBe(0.03);
    expect([wholeOf("tokens", 12), amountOf("tokens", 12)]).toEqual([12, 12]);
  });

  it("of a demand are those that it names", () => {
    expect(demandOf("tasks", { tasks: 1 })).toBe(1);
    expect(demandOf("usd", { tasks: 1, usd: 0 })).toBe(0);
    expect(demandOf("steps", { tasks: 1 })).toBe(0);
  });

  it("are told as people write them", () => {
    expect([
      formatAmount("usd", 500_000),
      formatAmount("usd", 1_234_500),
      formatAmount("usd", 1),
      formatAmount("tasks", 1),
      formatAmount("steps", 20),
    ]).toEqual(["$0.50", "$1.2345", "$0.000001", "1 task", "20 steps"]);
  });
});

it("forecasts what will be used at the window's end, after its first tenth", () => {
  const day = window("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z");
  expect(forecastOf(10, day, at("2026-11-21T02:00:00Z"))).toBeNull();
  expect(forecastOf(10, day, at("2026-11-21T06:00:00Z"))).toBe(40);
  expect(forecastOf(10, day, day.to)).toBe(10);
  expect(forecastOf(10, { from: 0, to: null }, day.to)).toBeNull();
});

it("stands at a warning from its level on, and is exhausted from its limit on", () => {
  expect([stateOf(4, 10, 5), stateOf(5, 10, 5), stateOf(10, 10, 5), stateOf(9, null, 5), stateOf(9, 10, null)]).toEqual(
    ["ok", "warning", "exhausted", "warning", "ok"],
  );
});

it("names what a budget is for", () => {
  expect(parseBudgetScope("environment")).toEqual({ kind: "environment" });
  expect(parseBudgetScope("agent:sales")).toEqual({ kind: "agent", agent: "sales" });
  for (const text of ["", "agent", "agent:", "tool:crm", "environment:x"])
    expect(parseBudgetScope(text)).toBeUndefined();
});

describe("the refusal of an exhausted budget", () => {
  const limit = {
    organization: "default",
    environment: "development",
    scope: "agent:sales",
    unit: "tasks",
    period: "day",
    hard: 20,
    warn: null,
    createdAt: 0,
  } as const;
  const total = { ...limit, scope: "environment", unit: "usd", period: "total", hard: 500_000 } as const;
  const day = window("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z");
  const endless = { from: 0, to: null };

  it("names the budget, what is used, and when it starts again", () => {
    const { details } = exhausted({ limit, window: day, used: 20, need: 1, now: at("2026-11-21T23:59:30.500Z") });
    expect(details.detail).toBe(
      "The budget of the agent sales is 20 tasks a day; 20 tasks of it are used, and this call needs 1 task. It resets at 2026-11-22T00:00:00.000Z.",
    );
    expect(details.headers).toEqual({ "Retry-After": "30" });
    expect(details.members?.budget).toEqual({
      scope: "agent:sales",
      unit: "tasks",
      period: "day",
      limit: 20,
      used: 20,
      resets_at: "2026-11-22T00:00:00.000Z",
    });
  });

  it("says that a total does not start again, and asks for no repetition", () => {
    const { details } = exhausted({ limit: total, window: endless, used: 480_000, need: 30_000, now: 1 });
    expect(details.detail).toBe(
      "The budget of this environment is $0.50 in total; $0.48 of it are used, and this call needs $0.03. It does not reset.",
    );
    expect(details.headers).toBeUndefined();
  });

  it("says that calls under way hold what is left, and when to repeat the call, where that is all that is missing", () => {
    const { details } = reservedByOthers({ limit: total, window: endless, used: 0, need: 210_000, now: 1 }, 420_000);
    expect(details.detail).toBe(
      "The budget of this environment is $0.50 in total; $0.00 of it are used, calls under way have reserved $0.42, and this call needs $0.21. What they do not use is given back when they end: repeat the call in a few seconds.",
    );
    expect(details).toMatchObject({
      retryable: true,
      headers: { "Retry-After": "2" },
      members: { budget: { used: 0, reserved: 0.42 } },
    });
    const late = reservedByOthers({ limit, window: day, used: 0, need: 1, now: at("2026-11-21T23:59:59.500Z") }, 20);
    expect(late.details.headers).toEqual({ "Retry-After": "1" }); // the window ends before
  });

  it("says of a call that needs more than the whole limit that it never fits, and asks for no repetition", () => {
    const { details } = neverFits({ limit, window: day, used: 3, need: 21, now: at("2026-11-21T12:00:00Z") });
    expect(details.detail).toBe(
      "The budget of the agent sales is 20 tasks a day, and this call alone needs 21 tasks, more than the whole budget. Raise the limit.",
    );
    expect(details).toMatchObject({ retryable: false, members: { budget: { used: 3, resets_at: null } } });
    expect(details.headers).toBeUndefined();
  });
});
