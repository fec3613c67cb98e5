import fc from "fast-check";
import { expect, it } from "vitest";
import { daysBetween, monthNamed, monthOf, nameOfMonth } from "./calendar.ts";

const zones = [
  "UTC",
  "Europe/Vienna",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Pacific/Apia",
];
const iso = (at: number | undefined): string => new Date(at ?? 0).toISOString();

it("knows months of a time zone over changes of its clocks", () => {
  expect(Object.values(monthNamed("Europe/Vienna", "2026-10")).map(iso)).toEqual([
    "2026-09-30T22:00:00.000Z",
    "2026-10-31T23:00:00.000Z",
  ]);
  expect(monthOf("Europe/Vienna", Date.parse("2026-10-31T23:00:00Z"))).toEqual(monthNamed("Europe/Vienna", "2026-11"));
});

it("has days that follow each other from midnight to midnight, and months that hold their moment", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) }),
      fc.integer({ min: 1, max: 40 * 86_400_000 }),
      (timeZone, from, length) => {
        const dateOf = (at: number): string => new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);
        const days = daysBetween(timeZone, from, from + length);
        expect(days[0]).toBeLessThanOrEqual(from);
        expect(days[1]).toBeGreaterThan(from);
        expect(days.at(-1)).toBeGreaterThanOrEqual(from + length);
        for (const [at, start] of days.slice(1).entries()) {
          expect(dateOf(start - 1)).toBe(dateOf(days[at] as number));
          expect(dateOf(start)).not.toBe(dateOf(start - 1));
        }
        const month = monthOf(timeZone, from);
        expect(month.from <= from && from < month.to).toBe(true);
        expect(monthNamed(timeZone, nameOfMonth(timeZone, month))).toEqual(month);
        expect(dateOf(from).startsWith(nameOfMonth(timeZone, month))).toBe(true);
      },
    ),
  );
});
