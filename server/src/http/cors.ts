import type { FastifyReply, FastifyRequest } from "fastify";
import { readChatToken } from "../kernel/chat-token.ts";
import type { ChatTokenCredential } from "../pipeline/call.ts";

/**
 * Headers by which scripts of any origin may read an answer (Fetch standard, section 3.3): whoever holds a key could read it anyway. What is answered to a
 * session of the portal is for its own pages, and carries none of them.
 */
export const readableAnywhere = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Request-Id, Audit-Ref, Location, ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Preference-Applied",
} as const;

/** The same for scripts of the pages for which a chat token was issued; for others, a header that opens the answer to nobody. */
export function readableByPages({ secret, origin }: ChatTokenCredential): Record<string, string> {
  const origins = readChatToken(secret)?.origins;
  const { "Access-Control-Allow-Origin": _anywhere, ...exposed } = readableAnywhere;
  if (origins === undefined) return readableAnywhere;
  const allowed = origin !== null && origins.includes(origin);
  return { ...(allowed && { ...exposed, "Access-Control-Allow-Origin": origin }), Vary: "Accept, Origin" };
}

/** Headers of what is answered to a session. */
export const ownPagesOnly = { "Cache-Control": "no-store" } as const;

const sendableHeaders = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer";
const maxAgeSeconds = 86_400;

/** Whether a browser asks by this request if a script may send another one. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/**
 * Answers a preflight. It stays outside the pipeline and leaves no record: browsers send it without a key, so that nobody could be found
 * responsible, and what it tells is the same for everyone and stands in the public description of the interface.
 */
export function answerPreflight(reply: FastifyReply, allow: string, sendable: readonly string[] = []): void {
  reply.hijack();
  reply.raw.writeHead(204, {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": [sendableHeaders, ...sendable].join(", "),
    "Access-Control-Max-Age": maxAgeSeconds,
  });
  reply.raw.end();
}
