import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProviderFailure } from "./failures.ts";
import { pause, pauseAfter, type RetryLimits, standardRetries, withRetries } from "./retries.ts";

const limited = (retryAfterMs: number | null = null) =>
  new ProviderFailure("provider_rate_limited", "limited", { retryAfterMs });

describe("repeated calls", () => {
  it("stay within attempts and time, whatever the provider says and however the dice fall", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.nat(90_000)), { minLength: 10, maxLength: 10 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.record({
          attempts: fc.integer({ min: 1, max: 8 }),
          firstPauseMs: fc.nat(2000),
          longestPauseMs: fc.nat(40_000),
          totalPauseMs: fc.nat(100_000),
        }),
        async (said, random, limits: RetryLimits) => {
          const pauses: number[] = [];
          let calls = 0;
          const call = () => Promise.reject(limited(said[calls++]));
          const sleep = async (ms: number) => void pauses.push(ms);
          await expect(withRetries(call, { limits, random: () => random, sleep }, undefined)).rejects.toThrow(
            "limited",
          );
          expect(calls).toBeLessThanOrEqual(limits.attempts);
          expect(pauses.length).toBe(calls - 1);
          expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(limits.totalPauseMs);
          for (const [n, ms] of pauses.entries()) expect(ms).toBeGreaterThanOrEqual(said[n] ?? 0);
        },
      ),
    );
  });

  it("are not made of what would fail again", async () => {
    let calls = 0;
    const call = () =>
      Promise.reject(calls++ === 0 ? new ProviderFailure("provider_unauthorized", "no") : new Error("called twice"));
    await expect(
      withRetries(call, { limits: standardRetries, random: Math.random, sleep: pause }, undefined),
    ).rejects.toThrow(/^no$/);
  });

  it("pause longer with each failure, up to a limit, and are spread over the pause", () => {
    const longest = [1, 2, 3, 4, 9].map((attempt) => pauseAfter(attempt, null, standardRetries, 1));
    expect(longest).toEqual([500, 1000, 2000, 4000, 30_000]);
    expect(pauseAfter(3, null, standardRetries, 0)).toBe(0);
  });

  it("stop waiting when the call is aborted", async () => {
    const caller = new AbortController();
    const waiting = withRetries(
      () => Promise.reject(limited(20_000)),
      { limits: standardRetries, random: () => 0, sleep: pause },
      caller.signal,
    );
    const reason = new Error("cancelled");
    setImmediate(() => caller.abort(reason));
    await expect(waiting).rejects.toBe(reason);
    await expect(pause(1000, caller.signal)).rejects.toBe(reason);
  });
});
