import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueTimes, nextTime, type Schedule, scheduleFaults } from "./schedule.ts";

const at = (text: string): number => Date.parse(text);
const fired = (schedule: Schedule, next: string, now: string): string[] =>
  dueTimes(schedule, at(next), at(now)).fire.map((time) => time.toISOString());
const nightly = { schedule: "30 2 * * *", time_zone: "Europe/Vienna" };

describe("a schedule", () => {
  it("comes once a day by the clock of its place, also where clocks are put forward or back", () => {
    for (const [from, days] of [
      ["2026-03-27T12:00:00Z", 4],
      ["2026-10-23T12:00:00Z", 4],
    ] as const) {
      const dates: string[] = [];
      for (let now = at(from); dates.length < days; ) {
        const next = nextTime(nightly, now) as Date;
        dates.push(new Intl.DateTimeFormat("sv", { timeZone: nightly.time_zone }).format(next));
        now = next.getTime();
      }
      expect(new Set(dates).size).toBe(days);
    }
    expect(nextTime(nightly, at("2026-03-28T12:00:00Z"))?.toISOString()).toBe("2026-03-29T01:00:00.000Z");
  });

  it("makes up for missed times as it says: for the latest, for none, or for all up to a hundred", () => {
    const [next, now] = ["2026-07-01T00:00:00Z", "2026-07-01T03:20:00Z"];
    const hourly = { schedule: "0 * * * *" };
    expect(fired(hourly, next, now)).toEqual(["2026-07-01T03:00:00.000Z"]);
    expect(fired({ ...hourly, missed: "skip" }, next, now)).toEqual([]);
    expect(fired({ ...hourly, missed: "run_all" }, next, now)).toHaveLength(4);
    expect(fired({ schedule: "* * * * *", missed: "run_all" }, next, now)).toHaveLength(100);
  });

  it("fires for a time that is looked at a moment late, whatever it says of missed ones", () => {
    for (const missed of ["skip", "run_once", "run_all"] as const)
      expect(fired({ schedule: "0 7 * * *", missed }, "2026-07-01T07:00:00Z", "2026-07-01T07:00:01Z")).toEqual([
        "2026-07-01T07:00:00.000Z",
      ]);
  });

  it("with run_all fires for each time once, however often and late it is looked at", () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom("*/7 * * * *", "0 * * * *", "30 2 * * *"), minutes, (schedule, pauses) => {
        const start = at("2026-10-24T22:00:30Z");
        const given: Schedule = { schedule, time_zone: "Europe/Vienna", missed: "run_all" };
        let [now, next] = [start, nextTime(given, start) as Date];
        const times: number[] = [];
        for (const pause of pauses) {
          now += pause * 60_000;
          const due = dueTimes(given, next.getTime(), now);
          times.push(...due.fire.map((time) => time.getTime()));
          next = due.next as Date;
        }
        const expected: number[] = [];
        for (let time = nextTime(given, start); time && time.getTime() <= now; time = nextTime(given, time.getTime()))
          expected.push(time.getTime());
        expect(times).toEqual(expected);
      }),
    );
  });

  it("is refused with its place where it is no schedule, never comes, or names no time zone", () => {
    const codes = (schedule: Schedule) =>
      scheduleFaults(schedule, "/definition", 0).map(({ pointer, code }) => [pointer, code]);
    expect(codes(nightly)).toEqual([]);
    expect(codes({ schedule: "61 * * * *" })).toEqual([["/definition/schedule", "not_cron"]]);
    expect(codes({ schedule: "0 0 30 2 *" })).toEqual([["/definition/schedule", "never"]]);
    expect(codes({ ...nightly, time_zone: "Vienna" })).toEqual([["/definition/time_zone", "unknown_time_zone"]]);
  });
});
