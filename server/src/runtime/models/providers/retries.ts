import { ProviderFailure } from "./failures.ts";

/** How failed calls are repeated. Times in milliseconds. */
export interface RetryLimits {
  /** Calls at most, the first one included. */
  readonly attempts: number;
  /** The longest pause after the first failure; it doubles with each further one. */
  readonly firstPauseMs: number;
  /** No pause is longer. A provider that asks for a longer one is not awaited. */
  readonly longestPauseMs: number;
  /** All pauses together are not longer. */
  readonly totalPauseMs: number;
}

export const standardRetries: RetryLimits = {
  attempts: 4,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  totalPauseMs: 60_000,
};

export interface Retrying {
  readonly limits: RetryLimits;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Ends early by throwing the signal's reason. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Calls until it succeeds, fails for good, or the limits are reached; then the last failure is thrown. Pauses have full jitter, so that callers that failed
 * together do not come back together; where the provider said when to come back, it is that long and up to a quarter longer.
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  { limits, random, sleep }: Retrying,
  signal: AbortSignal | undefined,
): Promise<T> {
  let paused = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !error.retryable || attempt >= limits.attempts) throw error;
      const pause = pauseAfter(attempt, error.retryAfterMs, limits, random());
      if (pause === null || paused + pause > limits.totalPauseMs) throw error;
      paused += pause;
      await sleep(pause, signal);
    }
  }
}

/** The pause after the attempt of this number, in milliseconds; null: longer than anybody waits. */
export function pauseAfter(
  attempt: number,
  retryAfterMs: number | null,
  limits: RetryLimits,
  random: number,
): number | null {
  if (retryAfterMs === null) return random * Math.min(limits.longestPauseMs, limits.firstPauseMs * 2 ** (attempt - 1));
  return retryAfterMs > limits.longestPauseMs ? null : retryAfterMs * (1 + random / 4);
}

/** Waits; throws the signal's reason when it is aborted before. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
