import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secondsOf } from "./errors.ts";
import { pauseBefore, standardRetries } from "./retry.ts";

const rules = { retries: 4, firstPauseMs: 500, longestPauseMs: 5_000 };

describe("the pause before another attempt", () => {
  it("is anything between nothing and a bound that doubles", () => {
    expect([1, 2, 3, 4].map((attempt) => pauseBefore(attempt, rules, null, () => 0))).toEqual([0, 0, 0, 0]);
    expect([1, 2, 3, 4].map((attempt) => pauseBefore(attempt, rules, null, () => 1))).toEqual([500, 1000, 2000, 4000]);
  });

  it("is never longer than the longest", () => {
    expect(pauseBefore(9, { ...rules, retries: 10 }, null, () => 1)).toBe(5_000);
  });

  it("is spread over callers who failed together", () => {
    const pauses = Array.from({ length: 200 }, () => pauseBefore(3, standardRetries, null) as number);
    expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(1_000);
  });

  it("is at least what Retry-After asks for", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 5 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, seconds, draw) => {
          expect(pauseBefore(attempt, rules, String(seconds), () => draw)).toBeGreaterThanOrEqual(seconds * 1000);
        },
      ),
    );
  });

  it("is none where the attempts are used up, or the service asks for more patience than there is", () => {
    expect([
      pauseBefore(5, rules, null),
      pauseBefore(1, rules, "6"),
      pauseBefore(1, { ...rules, retries: 0 }, null),
    ]).toEqual([null, null, null]);
  });
});

describe("Retry-After", () => {
  it("is seconds or a date", () => {
    const now = Date.UTC(2026, 10, 20, 9, 30);
    expect([
      secondsOf("7"),
      secondsOf("Fri, 20 Nov 2026 09:30:12 GMT", now),
      secondsOf("Fri, 20 Nov 2026 09:29:00 GMT", now),
    ]).toEqual([7, 12, 0]);
    expect([secondsOf(null), secondsOf("soon")]).toEqual([null, null]);
  });
});
