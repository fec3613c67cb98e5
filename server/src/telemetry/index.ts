import { type Meter, noMeter } from "../kernel/metrics.ts";
import { failureType, type Tracer } from "../kernel/tracing.ts";
import type { Exposition } from "./exposition.ts";
import { createMeter } from "./meter.ts";
import { type Environment, readOtelSettings, wantsTraces } from "./otel-settings.ts";
import type { OtlpTracer } from "./otlp.ts";

export type { Sample } from "./meter.ts";
export { type MetricsAccess, type MetricsAnswer, serveMetrics } from "./metrics-endpoint.ts";
export { createMetricsServer, type MetricsServer } from "./metrics-server.ts";

export interface TelemetryLog {
  warn(message: string): void;
}

export interface TelemetryOptions {
  /** Where OpenTelemetry's own settings stand, the `OTEL_*` variables. */
  readonly env: Environment;
  readonly version: string;
  readonly role: string;
  readonly log: TelemetryLog;
}

/** What a process tells of itself: traces and metrics. */
export interface Telemetry {
  /** Null: nothing is traced. */
  readonly tracer: Tracer | null;
  readonly meter: Meter;
  /** Whether spans hold what people, models and tools said. */
  readonly contents: boolean;
  /** The metrics in Prometheus's text format. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Sends the spans that wait. */
  flush(): Promise<void>;
  /** Sends the spans that wait, for a few seconds at most, and ends. */
  stop(): Promise<void>;
}

/** Tells nothing: for processes that nobody watches. */
export const untold: Pick<Telemetry, "tracer" | "meter" | "contents" | "expose"> = {
  ...{ tracer: null, meter: noMeter, contents: false },
  expose: async () => ({ contentType: "text/plain", text: "" }),
};

/** How long spans that wait may take to leave when the process stops (milliseconds). */
const stopMs = 3_000;
/** A receiver that is gone is told of once in so long (milliseconds). */
const complainEveryMs = 60_000;

/** Makes the telemetry of a process. Without an endpoint to send spans to, nothing of OpenTelemetry is loaded. */
export async function createTelemetry({ env, version, role, log }: TelemetryOptions): Promise<Telemetry> {
  const meter = createMeter();
  meter.gauge({ name: "aos_build_info", help: "Always 1; what runs.", labels: ["version", "role"] }, () => [
    [[version, role], 1],
  ]);
  const unread = meter.counter({
    name: "aos_metrics_unread_total",
    help: "Gauges that could not be read when metrics were asked for.",
    labels: ["metric"],
  });
  const settings = wantsTraces(env) ? readOtelSettings(env, (message) => log.warn(message)) : null;
  const exported = exportWatch(meter, log);
  const otlp = settings && (await startOtlp({ settings, version, role, exported }));
  let exposition: Promise<Exposition> | undefined;
  const load = async (): Promise<Exposition> => {
    const { createExposition } = await import("./exposition.ts");
    return createExposition(meter.gathered, (name) => unread.add([name]));
  };
  return {
    tracer: otlp?.tracer ?? null,
    meter,
    contents: settings?.contents ?? false,
    async expose() {
      exposition ??= load();
      const { contentType, text } = await exposition;
      return { contentType, text: await text() };
    },
    flush: async () => otlp?.flush(),
    async stop() {
      if (otlp)
        await Promise.race([
          otlp.stop().catch(() => undefined),
          new Promise((resolve) => setTimeout(resolve, stopMs).unref()),
        ]);
    },
  };
}

async function startOtlp(options: Parameters<typeof import("./otlp.ts").createOtlpTracer>[0]): Promise<OtlpTracer> {
  const { createOtlpTracer } = await import("./otlp.ts");
  return createOtlpTracer(options);
}

/** Counts what was exported, and tells of a receiver that takes nothing, not at every batch. */
function exportWatch(meter: Meter, log: TelemetryLog) {
  const spans = meter.counter({
    name: "aos_spans_exported_total",
    help: "Spans that left over OTLP, or were lost.",
    labels: ["outcome"],
  });
  let told = Number.NEGATIVE_INFINITY;
  return (count: number, error: Error | null): void => {
    spans.add([error === null ? "sent" : "lost"], count);
    if (error === null || performance.now() - told < complainEveryMs) return;
    told = performance.now();
    log.warn(
      `Spans could not be sent to the OTLP receiver and are lost (${failureType(error)}); the service goes on without.`,
    );
  };
}
