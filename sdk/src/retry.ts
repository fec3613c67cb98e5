import { secondsOf } from "./errors.ts";

/** When and how often a call is sent again. */
export interface RetryRules {
  /** How often, at most, after the first attempt. */
  readonly retries: number;
  /** Milliseconds that the first pause takes at most; each further one at most twice the one before. */
  readonly firstPauseMs: number;
  /** Milliseconds that a pause takes at most. A service that asks for a longer one by `Retry-After` is not asked again. */
  readonly longestPauseMs: number;
}

/** What holds by default. */
export const standardRetries: RetryRules = { retries: 4, firstPauseMs: 500, longestPauseMs: 60_000 };

/** Refusals that pass by themselves, whoever wrote them. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Milliseconds to wait before an attempt after so many, or null where there is none. Full jitter: anything between nothing and a bound that doubles, so that
 * callers who failed together do not come back together. `Retry-After` is waited out whole.
 */
export function pauseBefore(
  attempt: number,
  rules: RetryRules,
  retryAfter: string | null,
  random: () => number = Math.random,
): number | null {
  if (attempt > rules.retries) return null;
  const jitter = random() * Math.min(rules.longestPauseMs, rules.firstPauseMs * 2 ** (attempt - 1));
  const asked = secondsOf(retryAfter);
  if (asked === null) return jitter;
  return asked * 1000 > rules.longestPauseMs ? null : asked * 1000 + Math.min(jitter, rules.firstPauseMs);
}

/**
 * Whether an answer is worth asking for again: a passing status, or a problem of the service that says so. One that would only pass with time that it does not
 * name, such as a budget that is used up, is not.
 */
export async function isPassing(response: Response): Promise<boolean> {
  if (passing.has(response.status)) return true;
  if (response.status < 400 || !response.headers.get("content-type")?.includes("problem+json")) return false;
  const { retryable } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { retryable?: unknown };
  return (
    retryable === true && (response.status >= 500 || response.status === 409 || response.headers.has("retry-after"))
  );
}

/** Waits so many milliseconds. Rejects with the signal's reason where it is aborted first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
