import { type Meter, noMeter } from "../kernel/metrics.ts";
import { failureType, type Tracer } from "../kernel/tracing.ts";
import type { Exposition } from "./exposition.ts";
import { createMeter } from "./meter.ts";
import { type Environment, readOtelSettings, wantsTraces } from "./otel-settings.ts";

export { type MetricsAccess, type MetricsAnswer, serveMetrics } from "./metrics-endpoint.ts";
export { createMetricsServer, type MetricsServer } from "./metrics-server.ts";

export interface TelemetryOptions {
  /** Holds OpenTelemetry's own settings, the `OTEL_*` variables. */
  readonly env: Environment;
  readonly version: string;
  readonly role: string;
  readonly log: { warn(message: string): void };
}

/** Traces and metrics of a process. */
export interface Telemetry {
  /** Null: nothing is traced. */
  readonly tracer: Tracer | null;
  readonly meter: Meter;
  /** Whether spans hold what people, models and tools said. */
  readonly contents: boolean;
  /** The metrics in Prometheus's text format. */
  expose(): Promise<Exposition>;
  /** Sends the spans that wait. */
  flush(): Promise<void>;
  /** Sends the spans that wait, for a few seconds at most, and ends. */
  stop(): Promise<void>;
}

/** For processes that nobody watches. */
export const untold: Pick<Telemetry, "tracer" | "meter" | "contents" | "expose"> = {
  tracer: null,
  meter: noMeter,
  contents: false,
  expose: async () => ({ contentType: "text/plain", text: "" }),
};

/** How long spans that wait may take to leave when the process stops (milliseconds). */
const stopMs = 3_000;
/** How often a receiver that takes nothing is logged at most (milliseconds). */
const complainEveryMs = 60_000;

/** Makes the telemetry of a process. Without an endpoint to send spans to, nothing of OpenTelemetry is loaded. */
export async function createTelemetry({ env, version, role, log }: TelemetryOptions): Promise<Telemetry> {
  const meter = createMeter();
  const labels = ["version", "role"];
  meter.gauge({ name: "aos_build_info", help: "Always 1; what runs.", labels }, () => [[[version, role], 1]]);
  const unread = meter.counter({
    name: "aos_metrics_unread_total",
    help: "Gauges that could not be read when metrics were asked for.",
    labels: ["metric"],
  });
  const settings = wantsTraces(env) ? readOtelSettings(env, (message) => log.warn(message)) : null;
  const exported = exportWatch(meter, log);
  const otlp = settings && (await import("./otlp.ts")).createOtlpTracer({ settings, version, role, exported });
  let exposition: Promise<() => Promise<Exposition>> | undefined;
  return {
    tracer: otlp?.tracer ?? null,
    meter,
    contents: settings?.contents ?? false,
    async expose() {
      exposition ??= import("./exposition.ts").then(({ createExposition }) =>
        createExposition(meter.gathered, (name) => unread.add([name])),
      );
      return (await exposition)();
    },
    flush: async () => otlp?.flush(),
    async stop() {
      const timeout = new Promise((resolve) => setTimeout(resolve, stopMs).unref());
      if (otlp) await Promise.race([otlp.stop().catch(() => undefined), timeout]);
    },
  };
}

/** Counts exported spans, and logs a receiver that takes none, not at every batch. */
function exportWatch(meter: Meter, log: TelemetryOptions["log"]) {
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
