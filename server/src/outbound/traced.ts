import { type Attributes, inSpan, type Tracer } from "../kernel/tracing.ts";

/** What of a request stands in its span: neither path nor query nor headers, in which secrets and what people said may be. */
interface Request {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ports: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

function attributesOf({ url, method }: Request): Attributes {
  return {
    "http.request.method": method,
    "server.address": url.hostname,
    "server.port": url.port === "" ? ports[url.protocol] : Number(url.port),
    "url.scheme": url.protocol.slice(0, -1),
  };
}

/**
 * Makes one exchange in a span of kind `client`. The request carries its `traceparent`, unless it has one of its own or the operator switched that off; an
 * exchange is each hop of a redirect and each repetition.
 */
export function tracedExchange<R extends Request, T extends { readonly status: number }>(
  tracer: Tracer | null,
  request: R,
  send: (request: R) => Promise<T>,
): Promise<T> {
  if (tracer === null) return send(request);
  return inSpan(tracer, { name: request.method, kind: "client", attributes: attributesOf(request) }, async (span) => {
    const named = span !== null && tracer.propagates && !("traceparent" in request.headers);
    const answer = await send(
      named ? { ...request, headers: { ...request.headers, traceparent: span.traceparent } } : request,
    );
    span?.set({ "http.response.status_code": answer.status });
    if (answer.status >= 400) span?.fail(String(answer.status));
    return answer;
  });
}
