import type { NewId } from "../../kernel/ids.ts";
import type { ServiceCalls } from "./service-calls.ts";

/** How long a retry finds its first call (milliseconds), and how many are remembered. */
const remembered = 600_000;
const most = 10_000;

/**
 * The Idempotency-Keys of calls by clients that send none, so that a retry joins its call instead of sending the message twice. Two calls are the same where the
 * caller, the address and the body are, and the client says that it retries. Each process remembers its own.
 */
export class RetriedCalls {
  readonly #newId: NewId;
  readonly #now: () => number;
  readonly #keys = new Map<string, { readonly key: string; readonly at: number }>();

  constructor(newId: NewId, now: () => number = () => performance.now()) {
    this.#newId = newId;
    this.#now = now;
  }

  /** The key of a call; `retry`: how often the client tried before, as it says. */
  keyOf(calls: Pick<ServiceCalls, "keyOf" | "bodyDigest">, address: string, retry: string | undefined): string {
    const call = calls.keyOf("retried", address, calls.bodyDigest());
    const now = this.#now();
    const known = this.#keys.get(call);
    if (known && Number(retry) > 0 && now - known.at < remembered) return known.key;
    const key = `retried-${this.#newId("req")}`;
    this.#keys.delete(call);
    this.#keys.set(call, { key, at: now });
    this.#forget(now);
    return key;
  }

  #forget(now: number): void {
    for (const [call, { at }] of this.#keys) {
      if (this.#keys.size <= most && now - at < remembered) return;
      this.#keys.delete(call);
    }
  }
}
