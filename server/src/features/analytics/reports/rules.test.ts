import fc from "fast-check";
import { expect, it } from "vitest";
import { periodBefore } from "./make.ts";

const told = (period: "day" | "week" | "month", time_zone: string, at: string) => {
  const { from, to } = periodBefore({ period, time_zone }, Date.parse(at));
  return [new Date(from).toISOString(), new Date(to).toISOString()];
};

it("is about the last whole day, week or month by the clock of the zone", () => {
  expect(told("day", "UTC", "2026-11-23T07:00:00Z")).toEqual(["2026-11-22T00:00:00.000Z", "2026-11-23T00:00:00.000Z"]);
  expect(told("week", "Europe/Vienna", "2026-11-23T06:00:00Z")).toEqual([
    "2026-11-15T23:00:00.000Z",
    "2026-11-22T23:00:00.000Z",
  ]);
  expect(told("month", "Asia/Kathmandu", "2026-03-01T00:00:00Z")).toEqual([
    "2026-01-31T18:15:00.000Z",
    "2026-02-28T18:15:00.000Z",
  ]);
});

it("covers a day of 25 hours where clocks are put back", () => {
  const { from, to } = periodBefore({ period: "day", time_zone: "Europe/Vienna" }, Date.parse("2026-10-26T07:00:00Z"));
  expect((to - from) / 3_600_000).toBe(25);
});

it("ends by the moment and leaves less than another period of its kind", () => {
  const zones = fc.constantFrom("UTC", "Europe/Vienna", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe");
  const moments = fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2030-01-01") });
  fc.assert(
    fc.property(
      fc.constantFrom("day" as const, "week" as const, "month" as const),
      zones,
      moments,
      (period, zone, at) => {
        const { from, to } = periodBefore({ period, time_zone: zone }, at);
        expect(from).toBeLessThan(to);
        expect(to).toBeLessThanOrEqual(at);
        const after = periodBefore({ period, time_zone: zone }, at + (to - from) + 7_200_000 + 31 * 86_400_000);
        expect(after.from).toBeGreaterThanOrEqual(to);
        expect(at - to).toBeLessThan(32 * 86_400_000);
      },
    ),
  );
});
