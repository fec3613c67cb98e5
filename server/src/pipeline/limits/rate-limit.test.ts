import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRateLimiter, defaultRatePolicy, rateLimitHeaders } from "./rate-limit.ts";

describe("the rate limit", () => {
  it("allows the burst at once and not one more", () => {
    const limiter = createRateLimiter();
    const allowed = Array.from({ length: 300 }, () => limiter.take("key_a", 1000).allowed);
    expect(allowed.filter(Boolean)).toHaveLength(200);
    expect(allowed.lastIndexOf(true)).toBe(199);
  });

  it("refills at its rate after the burst is used up", () => {
    const limiter = createRateLimiter();
    for (let n = 0; n < 200; n++) limiter.take("key_a", 0);
    expect(limiter.take("key_a", 9).allowed).toBe(false);
    expect(limiter.take("key_a", 10).allowed).toBe(true);
    expect(limiter.take("key_a", 10).allowed).toBe(false);
    expect(Array.from({ length: 150 }, () => limiter.take("key_a", 1010).allowed).filter(Boolean)).toHaveLength(100);
  });

  it("never lets more through than burst plus rate times time", () => {
    const policy = { quota: 7, window_s: 2, burst: 5 };
    fc.assert(
      fc.property(fc.array(fc.nat(900), { maxLength: 200 }), (pauses) => {
        const limiter = createRateLimiter({ policy });
        let now = 0;
        let allowed = 0;
        for (const pause of pauses) {
          now += pause;
          const decision = limiter.take("k", now);
          if (decision.allowed) allowed++;
          expect(decision.remaining).toBeGreaterThanOrEqual(0);
          expect(decision.remaining).toBeLessThan(policy.burst);
          expect(allowed).toBeLessThanOrEqual(policy.burst + (now * policy.quota) / 2000 + 1e-6);
        }
      }),
    );
  });

  it("allows the next request once the announced time has passed", () => {
    const policy = { quota: 1, window_s: 60, burst: 2 };
    const limiter = createRateLimiter({ policy });
    limiter.take("k", 0);
    limiter.take("k", 0);
    const refused = limiter.take("k", 30_500);
    expect(refused).toEqual({ allowed: false, limit: 2, remaining: 0, reset_s: 30 });
    expect(limiter.take("k", 30_500 + refused.reset_s * 1000).allowed).toBe(true);
  });

  it("keeps keys apart and lets each have a rate of its own", () => {
    const limiter = createRateLimiter();
    const strict = { quota: 1, window_s: 1, burst: 1 };
    expect(limiter.take("key_a", 0, strict).allowed).toBe(true);
    expect(limiter.take("key_a", 0, strict).allowed).toBe(false);
    expect(limiter.take("key_b", 0)).toEqual({ allowed: true, limit: 200, remaining: 199, reset_s: 1 });
  });

  it("neither fills nor freezes when the clock steps back", () => {
    const limiter = createRateLimiter({ policy: { quota: 1, window_s: 1, burst: 1 } });
    expect(limiter.take("k", 1_000_000).allowed).toBe(true);
    expect(limiter.take("k", 0).allowed).toBe(false);
    expect(limiter.take("k", 1000).allowed).toBe(true);
  });

  it("keeps a bounded number of buckets and remembers the ones in use", () => {
    const limiter = createRateLimiter({ policy: { quota: 1, window_s: 60, burst: 1 }, most_keys: 100 });
    expect(limiter.take("steady", 0).allowed).toBe(true);
    for (let n = 0; n < 10_000; n++) {
      limiter.take(`address_${n}`, 0);
      if (n % 20 === 0) expect(limiter.take("steady", 0).allowed).toBe(false);
      expect(limiter.size()).toBeLessThanOrEqual(100);
    }
  });

  it("refuses a rate that is no rate", () => {
    for (const policy of [
      { quota: 0, window_s: 1, burst: 1 },
      { quota: 1, window_s: 0.5, burst: 1 },
      { quota: 1, window_s: 1, burst: Number.NaN },
    ]) {
      expect(() => createRateLimiter({ policy })).toThrow(RangeError);
    }
  });

  it("announces itself in structured fields, with Retry-After only when it refuses", () => {
    const limiter = createRateLimiter();
    expect(rateLimitHeaders(limiter.take("k", 0))).toEqual({
      RateLimit: '"default";r=199;t=1',
      "RateLimit-Policy": '"default";q=100;w=1;aos-burst=200',
    });
    for (let n = 0; n < 199; n++) limiter.take("k", 0);
    expect(rateLimitHeaders(limiter.take("k", 0), defaultRatePolicy)).toMatchObject({
      RateLimit: '"default";r=0;t=1',
      "Retry-After": "1",
    });
  });
});
