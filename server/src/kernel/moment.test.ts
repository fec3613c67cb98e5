import { expect, it } from "vitest";
import { createIds } from "./ids.ts";
import { createdWithin, madeAt, momentOf } from "./moment.ts";

it.each([
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
  ["2016-12-31T23:59:60.500+00:00", "2016-12-31T23:59:59.500Z"],
  ["1890-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
  ["2026-11-20T10:30:00.1239+01:00", "2026-11-20T09:30:00.123Z"],
])("a moment is read from %s", (given, meant) => {
  expect(new Date(momentOf(given)).toISOString()).toBe(meant);
});

it("what is shown as the time of something finds it, and the next millisecond does not", () => {
  const now = Date.UTC(2026, 10, 20, 9, 30, 0, 123);
  const id = createIds({ now: () => now })("tsk");
  const finds = (created_after: string, created_before: string): boolean => {
    const held: boolean[] = [];
    const and = (condition: (parameter: string) => string, bound: string | undefined) =>
      held.push(condition("").includes(">=") ? id >= (bound as string) : id < (bound as string));
    createdWithin(and, ["tsk", "id"], { created_after, created_before });
    return held.every(Boolean);
  };
  const [before, at, after] = [now - 1, now, now + 1].map((ms) => new Date(ms).toISOString()) as [
    string,
    string,
    string,
  ];
  expect(madeAt(id)).toBe(at);
  expect([finds(at, after), finds(before, at), finds(after, "2027-01-01T00:00:00Z")]).toEqual([true, false, false]);
});
