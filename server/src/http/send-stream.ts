import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Answer } from "../pipeline/call.ts";

/** Headers that keep proxies from holding an event stream back or keeping it. */
const unbuffered = { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" };

type Pieces = AsyncIterable<string | Uint8Array>;

/**
 * Sends a head and then what `pieces` yields, no faster than the caller reads. Ends when it ends, and when `signal` says that the caller has gone or the
 * server stops; the iterator is then told by `return`. An error after the head can be told to nobody but us: the connection breaks, so that the caller
 * does not take what it has for the whole.
 */
export async function sendStream(
  reply: FastifyReply,
  answer: Answer,
  pieces: Pieces,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const events = answer.contentType === "text/event-stream";
  raw.writeHead(answer.status, {
    ...answer.headers,
    ...(events ? unbuffered : {}),
    "Content-Type": events ? "text/event-stream; charset=utf-8" : answer.contentType,
  });
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    if (reply.request.method !== "HEAD") {
      raw.flushHeaders();
      await pump(raw, iterator, signal);
    }
    raw.end(() => {
      if (signal.aborted) reply.request.raw.socket.end(); // kept alive, it would keep a server that stops from closing
    });
  } catch (error) {
    report(error);
    raw.destroy();
  } finally {
    // Not awaited: an iterator in the middle of a wait returns when that ends.
    void iterator.return?.().catch(report);
  }
}

async function pump(raw: ServerResponse, iterator: AsyncIterator<string | Uint8Array>, signal: AbortSignal): Promise<void> {
  const left = Promise.withResolvers<null>();
  const leave = (): void => left.resolve(null);
  signal.addEventListener("abort", leave, { once: true });
  try {
    while (!signal.aborted) {
      const next = iterator.next();
      const result = await Promise.race([next, left.promise]);
      if (result === null) {
        next.catch(() => undefined); // nobody is there any more whom it could be told
        return;
      }
      if (result.done) return;
      if (!raw.write(result.value)) await Promise.race([once(raw, "drain"), left.promise]);
    }
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
