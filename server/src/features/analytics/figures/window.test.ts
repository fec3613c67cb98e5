import { describe, expect, it } from "vitest";
import { Refusal } from "../../../kernel/errors.ts";
import { linkOf } from "./link.ts";
import { windowBefore, windowOf } from "./window.ts";

const now = Date.UTC(2026, 10, 20, 12, 30, 30);
const ctx = { now };
const refusal = (query: Parameters<typeof windowOf>[1]) => {
  try {
    windowOf(ctx, query);
  } catch (error) {
    if (error instanceof Refusal) return error.details.errors?.map(({ parameter, code }) => `${parameter}: ${code}`);
  }
  return undefined;
};

describe("a window of figures", () => {
  it("is the last 30 days by days where nothing is said", () => {
    const window = windowOf(ctx, {});
    expect(new Date(window.to).toISOString()).toBe("2026-11-20T12:31:00.000Z");
    expect(window.to - window.from).toBe(30 * 86_400_000);
    expect(window).toMatchObject({ grain: "day", timeZone: "UTC", filters: {} });
    expect(windowBefore(window)).toMatchObject({ to: window.from, from: window.from - 30 * 86_400_000 });
  });

  it("takes agent, skill and a label's value as filters", () => {
    const { filters } = windowOf(ctx, { agent: "sales", skill: "qualify_lead", label: "customer:acme:eu" });
    expect(filters).toEqual({ agent: ["sales"], skill: ["qualify_lead"], "label:customer": ["acme:eu"] });
  });

  it.each([
    [{ from: "2026-11-20T12:00:30Z" }, "from: not_whole_minute"],
    [{ to: "2026-11-20T12:00:00.500Z" }, "to: not_whole_minute"],
    [{ from: "2026-11-20T12:00:00Z", to: "2026-11-20T12:00:00Z" }, "from: not_before_to"],
    [{ from: "9990-01-01T00:00:00Z", to: "9999-12-31T23:59:00Z", grain: "month" as const }, "to: too_late"],
    [{ time_zone: "Europe/Nowhere" }, "time_zone: unknown_time_zone"],
    [{ grain: "minute" as const }, "grain: too_many_points"],
  ])("is refused by the name of what is wrong: %j", (query, told) => {
    expect(refusal(query)).toContain(told);
  });
});

describe("the link of a figure", () => {
  const window = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 2) };
  const range = "created_after=2026-11-01T00%3A00%3A00.000Z&created_before=2026-11-02T00%3A00%3A00.000Z";

  it("lists the tasks that it counts", () => {
    expect(linkOf("failed", { agent: ["sales"], "label:customer": ["acme"] }, window)).toBe(
      `/v1/tasks?agent=sales&label=customer%3Aacme&status=failed&${range}`,
    );
    expect(linkOf("open", {}, window)).toContain("status=queued%2Cawaiting_approval%2Crunning%2Cinput_required");
  });

  it.each([
    ["values beyond a limit", { "label:customer": ["other"] }],
    ["tasks without a label", { "label:customer": [null] }],
    ["models, which tasks do not name", { model: ["openai/gpt"] }],
  ])("is null for %s", (_what, filters) => {
    expect(linkOf("tasks", filters, window)).toBeNull();
  });
});
