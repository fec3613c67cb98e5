interface Kept<V> {
  readonly value: V;
  readonly bytes: number;
  /** When it was used last, by `performance.now()`. */
  used: number;
}

/** Values in memory within a bound of bytes, as whoever keeps them counts these. What was used longest ago goes first; the newest is kept whatever its size. */
export class ByteCache<V> {
  readonly #kept = new Map<string, Kept<V>>();
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): V | undefined {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    found.used = performance.now();
    return found.value;
  }

  set(key: string, value: V, bytes: number): void {
    this.delete(key);
    this.#bytes += bytes;
    this.#kept.set(key, { value, bytes, used: performance.now() });
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#most || oldest === key) break;
      this.delete(oldest);
    }
  }

  /** Removes what was not used since a time of `performance.now()`. */
  deleteUnused(since: number): void {
    for (const [oldest, { used }] of this.#kept) {
      if (used >= since) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
