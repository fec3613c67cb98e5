import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ProviderFailure } from "./failures.ts";
import type { Meter } from "./usage.ts";

/** A signal for one attempt: aborted with the caller's, and by ourselves. `release` unhooks it from the caller's, which may live long. */
export interface AttemptSignal {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  release(): void;
}

export function attemptSignal(caller: AbortSignal | undefined): AttemptSignal {
  const controller = new AbortController();
  const follow = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) follow();
  caller?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => caller?.removeEventListener("abort", follow),
  };
}

/** What `work` comes to, unless the signal is aborted or the time (milliseconds) is over before: whatever is called stops waiting at once, also where it does not listen. */
export async function inTime<T>(
  work: PromiseLike<T>,
  ms: number,
  { signal, abort }: AttemptSignal,
  late: () => Error,
): Promise<T> {
  const over = Promise.withResolvers<never>();
  const stop = (): void => over.reject(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => abort(late()), ms);
  Promise.resolve(work).catch(() => undefined); // where nobody waits for it any more
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

export interface Watching {
  readonly attempt: AttemptSignal;
  /** The caller's, whose abort is passed on as it is. */
  readonly caller: AbortSignal | undefined;
  /** The longest silence between two parts, in milliseconds. */
  readonly silenceMs: number;
  readonly silent: () => ProviderFailure;
  /** Puts what broke the stream into words. */
  readonly broken: (error: unknown) => ProviderFailure;
  /** The provider's stream ended without its end. */
  readonly cutOff: () => ProviderFailure;
  readonly meter: Meter;
}

/**
 * The parts of a stream, with an eye on it: a silence that is too long, an error inside and an end that is none become one `error` part whose error is a
 * ProviderFailure, and nothing but the `finish` follows it. The caller's abort ends the stream at once, with its reason; who stops reading ends the call.
 */
export function watched(
  source: ReadableStream<LanguageModelV4StreamPart>,
  watching: Watching,
): ReadableStream<LanguageModelV4StreamPart> {
  const { attempt, caller, silenceMs } = watching;
  const reader = source.getReader();
  const end = (reason?: unknown): void => {
    attempt.release();
    reader.cancel(reason).catch(() => undefined);
  };
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        try {
          const { done, value } = await inTime(reader.read(), silenceMs, attempt, watching.silent);
          if (done) {
            attempt.release();
            controller.close();
          } else for (const part of seen(value, watching)) controller.enqueue(part);
        } catch (error) {
          end(error);
          if (caller?.aborted) return controller.error(caller.reason);
          controller.enqueue({ type: "error", error: watching.broken(error) });
          controller.close();
        }
      },
      cancel(reason) {
        attempt.abort(
          reason instanceof Error ? reason : new DOMException("nobody reads the answer any more", "AbortError"),
        );
        end(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function seen(part: LanguageModelV4StreamPart, { broken, cutOff, meter }: Watching): LanguageModelV4StreamPart[] {
  meter.see(part);
  if (part.type === "error") return [{ type: "error", error: broken(part.error) }];
  if (part.type !== "finish") return [part];
  const { unified, raw } = part.finishReason;
  const isCutOff = unified === "interrupted" || (unified === "other" && raw === undefined);
  const finish = { ...part, usage: meter.fill(part.usage) };
  return isCutOff ? [{ type: "error", error: cutOff() }, finish] : [finish];
}
