import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Answer } from "../pipeline/call.ts";

/** Headers that keep proxies from holding an event stream back or keeping it. */
const unbuffered = { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" };

type Pieces = AsyncIterable<string | Uint8Array>;

interface Sending {
  /** The caller has gone, or the server stops. */
  readonly signal: AbortSignal;
  /** A reader that takes nothing for so long holds a connection, and a place among those who follow, for nobody (milliseconds). */
  readonly patience: number;
  readonly report: (error: unknown) => void;
}

/**
 * Sends a head and then what `pieces` yields, no faster than the caller reads. Ends when it ends, and when `signal` says that the caller has gone or the
 * server stops; the iterator is then ended by `return`. An error after the head can be reported to nobody but us: the connection breaks, so that the caller
 * does not take what it has for the whole. So it does where the caller takes nothing any more.
 */
export async function sendStream(
  reply: FastifyReply,
  answer: Answer,
  pieces: Pieces,
  { signal, patience, report }: Sending,
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
      if (!(await pump(raw, iterator, { signal, patience }))) return void raw.destroy();
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

/** Whether what was written is taken; false after so many milliseconds in which nothing was. */
async function taken(raw: ServerResponse, left: Promise<null>, patience: number): Promise<boolean> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  try {
    await Promise.race([once(raw, "drain", { signal: late.signal }), left]);
    return true;
  } catch {
    return false; // too late, or the connection broke
  } finally {
    clearTimeout(timer);
    late.abort();
  }
}

/** False: the reader takes nothing any more. */
async function pump(
  raw: ServerResponse,
  iterator: AsyncIterator<string | Uint8Array>,
  { signal, patience }: Pick<Sending, "signal" | "patience">,
): Promise<boolean> {
  const left = Promise.withResolvers<null>();
  const leave = (): void => left.resolve(null);
  signal.addEventListener("abort", leave, { once: true });
  try {
    while (!signal.aborted) {
      const next = iterator.next();
      const result = await Promise.race([next, left.promise]);
      if (result === null) {
        next.catch(() => undefined); // nobody is there any more to report it to
        return true;
      }
      if (result.done) return true;
      if (!raw.write(result.value) && !(await taken(raw, left.promise, patience))) return false;
    }
    return true;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
