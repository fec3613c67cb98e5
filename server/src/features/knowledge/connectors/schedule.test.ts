import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backOffUntil, nextRun, scheduleFaults } from "./schedule.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const hours = (n: number): number => n * 3_600_000;

describe("a schedule", () => {
  it.each([
    [{ cron: "0 3 * * *", time_zone: "Europe/Zurich" }, null],
    [{ cron: "*/5 * * * *" }, null],
    [{ cron: "*/4 * * * *" }, "too_often"],
    [{ cron: "58,0 3 * * *" }, null],
    [{ cron: "58,59 3 * * *" }, "too_often"],
    [{ cron: "every night" }, "not_cron"],
    [{ cron: "0 0 3 * * *" }, "not_cron"],
    [{ cron: "0 3 31 2 *" }, "never"],
    [{ cron: "0 3 * * *", time_zone: "Mars/Olympus" }, "unknown_time_zone"],
  ])("%o is refused as %s", (schedule, code) => {
    expect(scheduleFaults(schedule, now).map((fault) => fault.code)).toEqual(code === null ? [] : [code]);
  });

  it("is meant in its time zone, through changes of the clock", () => {
    const summer = Date.parse("2026-10-24T12:00:00Z");
    const at = (from: number): string =>
      nextRun({ cron: "0 3 * * *", time_zone: "Europe/Zurich" }, "cnr_1", from)?.toISOString() ?? "";
    const first = at(summer); // the night in which summer time ends
    expect(first.slice(0, 13)).toBe("2026-10-25T02");
    expect(at(Date.parse("2026-10-23T12:00:00Z")).slice(0, 13)).toBe("2026-10-24T01");
  });

  it("always comes next in the future, at most two minutes late, and the same each time", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: hours(24 * 400) }), (connector, later) => {
        const from = now + later;
        const next = nextRun({ cron: "*/30 * * * *" }, connector, from)?.getTime() ?? 0;
        expect(next).toBeGreaterThan(from);
        expect(next - from).toBeLessThanOrEqual(hours(0.5) + 1000);
        expect(next % hours(0.5)).toBeLessThan(120_000);
        expect(nextRun({ cron: "*/30 * * * *" }, connector, from)?.getTime()).toBe(next);
      }),
    );
  });

  it("runs less often after three failures in a row, and daily at worst", () => {
    expect([1, 2, 3, 4, 5, 50].map((failures) => backOffUntil(failures, now)?.getTime())).toEqual([
      undefined,
      undefined,
      now + hours(1),
      now + hours(2),
      now + hours(4),
      now + hours(24),
    ]);
  });
});
