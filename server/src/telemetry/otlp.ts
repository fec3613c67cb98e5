import { randomUUID } from "node:crypto";
import type { ExportResult } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Tracer } from "../kernel/tracing.ts";
import type { OtelSettings } from "./otel-settings.ts";
import { createOtelTracer } from "./otel-tracer.ts";

// Loaded where spans are exported, and only there: the packages take some thirty megabytes and a quarter of a second.

export interface OtlpOptions {
  readonly settings: OtelSettings;
  readonly version: string;
  readonly role: string;
  /** Hears how each export ended, with so many spans. */
  readonly exported: (spans: number, error: Error | null) => void;
}

export interface OtlpTracer {
  readonly tracer: Tracer;
  /** Sends what waits. */
  flush(): Promise<void>;
  /** Sends what waits, and ends. */
  stop(): Promise<void>;
}

/** A tracer whose spans go out over OTLP (HTTP, protobuf) to where OTEL_EXPORTER_OTLP_ENDPOINT points. */
export function createOtlpTracer({ settings, version, role, exported }: OtlpOptions): OtlpTracer {
  const processor = new BatchSpanProcessor({ exporter: watched(new OTLPTraceExporter(), exported), ...settings.batch });
  const provider = new TracerProvider({
    resource: resourceOf(settings, version, role),
    sampler: samplerOf(settings),
    spanLimits: settings.spanLimits,
    spanProcessors: [processor],
  });
  const tracer = createOtelTracer(provider.getTracer("agent-operations-service", version), settings.propagates);
  return { tracer, flush: () => processor.forceFlush(), stop: () => provider.shutdown() };
}

function resourceOf({ namesService }: OtelSettings, version: string, role: string) {
  const own = resourceFromAttributes({
    ...(namesService ? {} : { "service.name": "agent-operations-service" }),
    "service.version": version,
    "service.instance.id": randomUUID(),
    "process.pid": process.pid,
    "aos.role": role,
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [hostDetector, envDetector] }));
}

function samplerOf({ sampler, ratio }: OtelSettings): Sampler {
  const root = sampler.replace("parentbased_", "");
  const own =
    root === "always_off"
      ? new AlwaysOffSampler()
      : root === "traceidratio"
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler();
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root: own }) : own;
}

/** The exporter, with somebody who hears how it went: the SDK tells nobody of a receiver that is gone. */
function watched(exporter: SpanExporter, exported: OtlpOptions["exported"]): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result: ExportResult) => {
        exported(
          spans.length,
          result.code === 0 ? null : (result.error ?? new Error("the receiver refused the spans")),
        );
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
