import { callerOf } from "../kernel/principal.ts";
import { createRateLimiter, defaultRatePolicy, type RatePolicy, rateLimitHeaders } from "./limits/rate-limit.ts";
import type { RateLimit } from "./ports.ts";
import { asksToWait } from "./prefer.ts";
import type { Admitted } from "./stages.ts";

/** Attempts to sign in from one address: 30 at once, then one every two seconds. An office behind one address comes in, and guessing stays hopeless. */
const signInPolicy: RatePolicy = { quota: 30, window_s: 60, burst: 30 };

const none = { allowed: true, headers: {} };

/** The request rate of each key in this process; `off` lifts it, for load tests. */
export function createRateLimit(mode: "on" | "off"): RateLimit {
  if (mode === "off") return { take: () => none, attempt: () => none };
  const limiter = createRateLimiter();
  const policies = new Map<number, RatePolicy>();
  const policyOf = (rate: number | null): RatePolicy => {
    if (rate === null) return defaultRatePolicy;
    let policy = policies.get(rate);
    if (!policy) {
      policy = { quota: rate, window_s: 1, burst: Math.max(rate, defaultRatePolicy.burst) };
      policies.set(rate, policy);
    }
    return policy;
  };
  return {
    take(key, ratePerSecond, now) {
      const policy = policyOf(ratePerSecond);
      const decision = limiter.take(key, now, policy);
      return { allowed: decision.allowed, headers: rateLimitHeaders(decision, policy) };
    },
    attempt(address, now) {
      const decision = limiter.take(`sign-in from ${address}`, now, signInPolicy);
      return { allowed: decision.allowed, headers: rateLimitHeaders(decision, signInPolicy) };
    },
  };
}

/**
 * Takes a place among the caller's calls in flight; returns how to give it back. None for the service's own machines, for an item of a batch, which has its
 * batch's, and for a call that waits for something to end, which costs nothing meanwhile.
 */
export function takePlace({ machine, call, spec, principal, scope, key }: Admitted): (() => void) | null {
  const waits = spec.waitable === true && asksToWait(call);
  return key === null || call.batch !== null || waits
    ? null
    : machine.inFlight.take(callerOf(principal, scope), call.bodyLength);
}
