import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryAfterOf, schedule, waitAfter } from "./schedule.ts";

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

describe("the schedule of attempts", () => {
  it("waits as the design says, and gives up after the tenth failure", () => {
    const waits = Array.from({ length: 10 }, (_, at) => waitAfter(at + 1, 0.5, null));
    expect(waits).toEqual([
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      null,
    ]);
  });

  it("spreads every wait by a fifth to both sides", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (failures, random) => {
          const share = (waitAfter(failures, random, null) as number) / (schedule[failures] as number);
          expect(share).toBeGreaterThanOrEqual(0.8 - 1e-3);
          expect(share).toBeLessThanOrEqual(1.2 + 1e-3);
        },
      ),
    );
  });

  it("waits as long as the receiver asks, up to twice the step, and never shorter for it", () => {
    expect(waitAfter(2, 0.5, 8 * minute)).toBe(8 * minute);
    expect(waitAfter(2, 0.5, 3 * hour)).toBe(10 * minute);
    expect(waitAfter(2, 0.5, 0)).toBe(5 * minute);
    expect(waitAfter(10, 0.5, hour)).toBeNull();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-20T09:30:00Z");

  it("is read as seconds or as a date", () => {
    expect(retryAfterOf("120", now)).toBe(120 * second);
    expect(retryAfterOf("Fri, 20 Nov 2026 09:35:00 GMT", now)).toBe(5 * minute);
    expect(retryAfterOf("Fri, 20 Nov 2026 09:00:00 GMT", now)).toBe(0);
  });

  it.each([undefined, "", "soon", "-5", "1e9", "99999999999999"])(
    "that cannot be read asks for nothing: %s",
    (text) => {
      expect(retryAfterOf(text, now)).toBeNull();
    },
  );
});
