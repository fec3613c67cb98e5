/** Waits so many milliseconds, unless the signal is aborted before: then its reason is thrown. */
export async function pause(signal: AbortSignal, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  try {
    await orAborted(signal, over.promise);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`, unless the signal is aborted before: then its reason is thrown, and the result no longer matters. */
export async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) work.catch(() => undefined); // nobody waits for it any more
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
