import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Span as ApiSpan,
  type Tracer as ApiTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import type { Attributes, Span, SpanStart, Tracer } from "../kernel/tracing.ts";

/** `performance.now()` as milliseconds since the epoch. */
const epoch = (ms: number): number => performance.timeOrigin + ms;

/** Our port over OpenTelemetry's tracer. The span under way is kept here, not in the API's global context: a process can hold several. */
export function createOtelTracer(tracer: ApiTracer, propagates: boolean): Tracer {
  const storage = new AsyncLocalStorage<OtelSpan>();
  return {
    propagates,
    active: () => storage.getStore() ?? null,
    within: (span, work) => storage.run(span as OtelSpan, work),
    start({ name, kind = "internal", attributes = {}, parent, links = [] }: SpanStart): Span {
      const remote = typeof parent === "string" ? parseTraceParent(parent) : null;
      const active = storage.getStore()?.span;
      const context = remote
        ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
        : active
          ? trace.setSpan(ROOT_CONTEXT, active)
          : ROOT_CONTEXT;
      const linked = links.map(parseTraceParent).flatMap((found) => (found ? [{ context: found }] : []));
      return new OtelSpan(
        tracer,
        tracer.startSpan(
          name,
          { kind: SpanKind[kind.toUpperCase() as "INTERNAL"], attributes: mutable(attributes), links: linked },
          context,
        ),
      );
    },
  };
}

/** The API's types want arrays that could be changed. */
const mutable = (attributes: Attributes): Record<string, string | number | boolean | string[] | undefined> =>
  attributes as Record<string, string | number | boolean | string[] | undefined>;

class OtelSpan implements Span {
  readonly span: ApiSpan;
  readonly #tracer: ApiTracer;

  constructor(tracer: ApiTracer, span: ApiSpan) {
    this.span = span;
    this.#tracer = tracer;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  }

  get recorded(): boolean {
    return this.span.isRecording();
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(mutable(attributes));
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  part(name: string, from: number, to: number, attributes: Attributes, failed?: string): void {
    const options = { kind: SpanKind.INTERNAL, startTime: epoch(from), attributes: mutable(attributes) };
    const part = this.#tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.span));
    if (failed !== undefined) fail(part, failed);
    part.end(epoch(to));
  }

  fail(type: string): void {
    fail(this.span, type);
  }

  end(): void {
    this.span.end();
  }
}

function fail(span: ApiSpan, type: string): void {
  span.setAttributes({ "error.type": type });
  span.setStatus({ code: SpanStatusCode.ERROR });
}
