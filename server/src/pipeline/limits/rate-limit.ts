/** A token bucket: `quota` requests per `window_s` seconds flow in, up to `burst`; one flows out per request. */
export interface RatePolicy {
  /** Requests per window; with `window_s` the long-term rate. */
  readonly quota: number;
  /** Whole seconds, at least 1. */
  readonly window_s: number;
  /** How many requests may come at once after a pause. */
  readonly burst: number;
}

/** 100 requests a second, 200 at once (start). */
export const defaultRatePolicy: RatePolicy = { quota: 100, window_s: 1, burst: 200 };

export interface RateDecision {
  readonly allowed: boolean;
  /** The burst: the most that `remaining` can be. */
  readonly limit: number;
  /** Whole requests that would be allowed right now. */
  readonly remaining: number;
  /** Whole seconds, rounded up, until another request is available; 0 when the bucket is full. */
  readonly reset_s: number;
}

export interface RateLimiterOptions {
  readonly policy?: RatePolicy;
  /** Most buckets kept; the ones not used for longest are forgotten first. */
  readonly most_keys?: number;
}

export interface RateLimiter {
  /** Takes one request out of the bucket of `key`. `now` is in milliseconds of any clock that runs forward. */
  take(key: string, now: number, policy?: RatePolicy): RateDecision;
  /** Buckets in memory. */
  size(): number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const MOST_KEYS = 100_000;

/**
 * Buckets in the memory of this process, in constant time per request. Memory is bounded by two generations of half the keys each:
 * when the young one is full it becomes the old one, and the former old one is forgotten. A forgotten bucket begins full again, so a
 * flood of different keys (which only addresses without a key can be) loosens the limit for others, never tightens it.
 */
export function createRateLimiter(options: RateLimiterOptions = {}): RateLimiter {
  const standard = checked(options.policy ?? defaultRatePolicy);
  const half = Math.max(1, Math.floor((options.most_keys ?? MOST_KEYS) / 2));
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();

  function bucketOf(key: string, now: number, burst: number): Bucket {
    const known = young.get(key);
    if (known !== undefined) return known;
    const bucket = old.get(key) ?? { tokens: burst, filledAt: now };
    old.delete(key);
    if (young.size >= half) {
      old = young;
      young = new Map();
    }
    young.set(key, bucket);
    return bucket;
  }

  return {
    take(key, now, own) {
      const policy = own === undefined ? standard : checked(own);
      const perMs = policy.quota / (policy.window_s * 1000);
      const bucket = bucketOf(key, now, policy.burst);
      // A clock that steps back fills nothing; it must not freeze the bucket either, so the new time counts from here.
      const elapsed = Math.max(0, now - bucket.filledAt);
      bucket.tokens = Math.min(policy.burst, bucket.tokens + elapsed * perMs);
      bucket.filledAt = now;
      const allowed = bucket.tokens >= 1 - TINY;
      if (allowed) bucket.tokens = Math.max(0, bucket.tokens - 1);
      const remaining = Math.floor(bucket.tokens + TINY);
      const missing = Math.min(policy.burst, remaining + 1) - bucket.tokens;
      return {
        allowed,
        limit: policy.burst,
        remaining,
        reset_s: missing > TINY ? Math.max(1, Math.ceil(missing / perMs / 1000 - TINY)) : 0,
      };
    },
    size: () => young.size + old.size,
  };
}

/** Sums of fractions of tokens are exact to far better than this. */
const TINY = 1e-6;

const known = new WeakSet<RatePolicy>();

function checked(policy: RatePolicy): RatePolicy {
  if (known.has(policy)) return policy;
  const { quota, window_s, burst } = policy;
  const whole = [quota, window_s, burst].every((value) => Number.isSafeInteger(value) && value >= 1);
  if (!whole) throw new RangeError("quota, window_s and burst of a rate are whole numbers from 1");
  known.add(policy);
  return policy;
}

/**
 * The header fields of draft-ietf-httpapi-ratelimit-headers-10 (Structured Fields, RFC 9651), and `Retry-After` (RFC 9110
 * section 10.2.3) when the request was refused. The burst travels as a parameter of our own, as the draft allows: `r` may exceed `q` by it.
 */
export function rateLimitHeaders(
  decision: RateDecision,
  policy: RatePolicy = defaultRatePolicy,
): Record<string, string> {
  const headers: Record<string, string> = {
    RateLimit: `"default";r=${decision.remaining};t=${decision.reset_s}`,
    "RateLimit-Policy": `"default";q=${policy.quota};w=${policy.window_s};aos-burst=${policy.burst}`,
  };
  if (!decision.allowed) headers["Retry-After"] = String(decision.reset_s);
  return headers;
}
