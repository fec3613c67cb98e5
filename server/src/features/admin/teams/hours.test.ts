import { expect, it } from "vitest";
import { afterOpenSeconds, hoursFaults, isOpenAt, opensAt } from "./hours.ts";

const day = [{ from: "09:00", to: "17:00" }];
const vienna = {
  time_zone: "Europe/Vienna",
  weekly: { mon: day, tue: day, wed: day, thu: day, fri: day },
  holidays: ["2026-12-25"],
};
const at = (time: string): number => Date.parse(time);
const opens = (time: string): string | null => {
  const found = opensAt(vienna, at(time));
  return found === null ? null : new Date(found).toISOString();
};

it("reads hours by the clock of their time zone, in summer and in winter", () => {
  expect(isOpenAt(vienna, at("2026-07-01T07:00:00Z"))).toBe(true);
  expect(isOpenAt(vienna, at("2026-12-01T07:59:59Z"))).toBe(false);
  expect(isOpenAt(vienna, at("2026-12-01T08:00:00Z"))).toBe(true);
  expect(isOpenAt(vienna, at("2026-12-01T16:00:00Z"))).toBe(false);
});

it("opens after nights, weekends, holidays and changes of the clock", () => {
  expect(opens("2026-12-01T03:00:00Z")).toBe("2026-12-01T08:00:00.000Z");
  expect(opens("2026-12-24T17:00:00Z")).toBe("2026-12-28T08:00:00.000Z");
  expect(opens("2026-03-28T12:00:00Z")).toBe("2026-03-30T07:00:00.000Z");
  expect(opens("2026-12-01T12:00:00Z")).toBeNull();
});

it("does not close at midnight where the next day goes on", () => {
  const always = [{ from: "00:00", to: "24:00" }];
  const hours = { time_zone: "UTC", weekly: { mon: always, tue: always } };
  expect(afterOpenSeconds(hours, at("2026-11-30T23:00:00Z"), 7_200)).toBe(at("2026-12-01T01:00:00Z"));
  expect(new Date(opensAt(hours, at("2026-12-02T00:00:00Z")) as number).toISOString()).toBe("2026-12-07T00:00:00.000Z");
});

it("counts seconds of opening hours alone", () => {
  expect(afterOpenSeconds(vienna, at("2026-12-01T15:59:00Z"), 120)).toBe(at("2026-12-02T08:01:00Z"));
  expect(afterOpenSeconds(vienna, at("2026-12-24T20:00:00Z"), 60)).toBe(at("2026-12-28T08:01:00Z"));
  expect(afterOpenSeconds(null, 0, 60)).toBe(60_000);
});

it("refuses an unknown time zone, times that end before they begin, and hours that never open", () => {
  const wrong = { time_zone: "Europe/Wien", weekly: { mon: [{ from: "17:00", to: "09:00" }] } };
  expect(hoursFaults(wrong).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    "/hours/time_zone unknown_time_zone",
    "/hours/weekly/mon/0 ends_before_start",
  ]);
  expect(hoursFaults({ time_zone: "UTC", weekly: {} })[0]?.code).toBe("never_open");
});
