import type { FastifyReply, FastifyRequest } from "fastify";
import { timeOfId } from "../kernel/ids.ts";
import type { Tracer } from "../kernel/tracing.ts";

export interface Served {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Template of the route that matched, in the form `/v1/tasks/:id`; null where none did. */
  readonly route: string | null;
}

/** Methods by their names in spans; what else callers make up is `_OTHER` (semantic conventions, HTTP). */
const known = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "TRACE"]);
/** What a `traceparent` may be long at most: versions after 00 may append to it. */
const longest = 256;

/**
 * Answers a request in a span of kind `server`, as part of the trace that its `traceparent` names. Nothing that a caller wrote freely stands in it: no query, no
 * header, and of the path only the route and ids of ours; `tracestate` and `baggage` are not taken over.
 */
export async function inServerSpan(
  tracer: Tracer,
  { request, reply, route }: Served,
  work: () => Promise<void>,
): Promise<void> {
  const method = known.has(request.method) ? request.method : "_OTHER";
  const template = route?.replaceAll(/:(\w+)/g, "{$1}");
  const name = method === "_OTHER" ? "HTTP" : method;
  const { traceparent } = request.headers;
  const span = tracer.start({
    name: template === undefined ? name : `${name} ${template}`,
    kind: "server",
    parent: typeof traceparent === "string" && traceparent.length <= longest ? traceparent : null,
    attributes: {
      "http.request.method": method,
      "http.route": template,
      "url.path": template === undefined ? undefined : shownPath(template, request.params as Record<string, string>),
      "url.scheme": request.protocol,
      "network.protocol.version": request.raw.httpVersion,
    },
  });
  try {
    await tracer.within(span, work);
  } finally {
    const { statusCode } = reply.raw;
    span.set({ "http.response.status_code": statusCode });
    if (statusCode >= 500) span.fail(String(statusCode));
    span.end();
  }
}

/** The path with the ids that it names; what is no id of ours stays the name of its place. */
function shownPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name] ?? "";
    return /^[a-z]{3}_/.test(value) && timeOfId(value) !== undefined ? value : place;
  });
}
