import type { OutboundAnswer, OutboundError } from "../../outbound/index.ts";
import { dataOf } from "./http-data.ts";
import type { HttpTool, HttpToolFailure, HttpToolResult } from "./http-types.ts";

type Effect = HttpTool["effect"];

/** What an answer means for a tool. `secrets` are values that were sent as credentials; an answer that repeats them does not pass them on. */
export function answered(effect: Effect, answer: OutboundAnswer, secrets: readonly string[]): HttpToolResult {
  const host = new URL(answer.url).host;
  return judged(effect, answer, { host, output: dataOf(answer, secrets), unread: null });
}

interface Reading {
  readonly host: string;
  readonly output: unknown;
  /** Why the answer could not be read to its end; null: it was. */
  readonly unread: HttpToolFailure | null;
}

function judged(
  effect: Effect,
  { status, headers }: Pick<OutboundAnswer, "status" | "headers">,
  { host, output, unread }: Reading,
): HttpToolResult {
  const failure = statusFailure(status, host);
  if (effect === "write" && failure !== null && leavesOpen(status, headers))
    return { kind: "unknown_outcome", failure, status, output, retryAfterMs: retryAfter(headers) };
  // A write that took effect did so, whether its answer could be read or not.
  const found = failure ?? (effect === "write" ? null : unread);
  return {
    kind: "answered",
    status,
    output,
    failure: found,
    retryable: found !== null && (found === unread || isPassing(status)),
    retryAfterMs: retryAfter(headers),
  };
}

/**
 * Statuses that say nothing about whether a write took effect: the target broke, one between gave up waiting, or it leads elsewhere, as many do once they have
 * carried a request out (RFC 9110, section 15). 307 and 308 say that it was not carried out. A 503 says so where it names a time to come back: without one, it is also
 * what proxies answer in place of a target whose connection broke after it had the request.
 */
const leavesOpen = (status: number, headers: Readonly<Record<string, string>>): boolean =>
  status === 408 ||
  (status >= 301 && status <= 303) ||
  (status >= 500 && ![501, 505].includes(status) && !(status === 503 && "retry-after" in headers));
/** Statuses that another try may not meet again. */
const isPassing = (status: number): boolean =>
  [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);

/** Not imported: an `import` from "node:http" loads all of undici. */
const { STATUS_CODES } = process.getBuiltinModule("node:http");

function statusFailure(status: number, host: string): HttpToolFailure | null {
  if (status >= 200 && status < 300) return null;
  const said = `\`${host}\` answered ${status}${STATUS_CODES[status] === undefined ? "" : ` ${STATUS_CODES[status]}`}`;
  if (status < 400)
    return {
      code: "http_redirect",
      detail: `${said}: it leads elsewhere, which is not followed; give the tool the address that answers`,
    };
  if (status === 401 || status === 403)
    return { code: "http_unauthorized", detail: `${said}; check the credentials of the tool's connection` };
  if (status === 404 || status === 410) return { code: "http_not_found", detail: `${said}` };
  if (status === 429) return { code: "http_rate_limited", detail: `${said}: it accepts no further requests for now` };
  return { code: status >= 500 ? "http_server_error" : "http_refused", detail: said };
}

/** `Retry-After` (RFC 9110, section 10.2.3) in milliseconds; a time counts from the answer's own `Date`. */
function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  const value = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers.date ?? "");
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

/** Failures before anything was sent that another try may not meet again. */
const PASSING = new Set(["connect_failed", "connect_timeout", "name_not_found", "timeout"]);

/** What a request that came to nothing means for a tool. */
export function notAnswered(effect: Effect, error: OutboundError, url: string): HttpToolResult {
  const failure = { code: error.code, detail: sentence(error.message) };
  if (error.status !== null) {
    const output = { left_out: error.message };
    return judged(effect, { status: error.status, headers: {} }, { host: new URL(url).host, output, unread: failure });
  }
  if (!error.sent) return { kind: "not_sent", failure, retryable: PASSING.has(error.code) };
  return { kind: "unknown_outcome", failure, status: null, output: null, retryAfterMs: null };
}

/** The call was not made: by arguments, by the tool itself, by where its credentials may go. */
export const notSent = (code: string, detail: string): HttpToolResult => ({
  kind: "not_sent",
  failure: { code, detail: sentence(detail) },
  retryable: false,
});

const sentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
