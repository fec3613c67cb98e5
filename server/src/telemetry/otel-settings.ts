// OpenTelemetry's environment variables that its SDK 3 does not read itself (specification, "Environment Variable Specification"). The exporter reads
// OTEL_EXPORTER_OTLP_[TRACES_]ENDPOINT, …_HEADERS, …_TIMEOUT, …_COMPRESSION, …_CERTIFICATE, …_CLIENT_KEY, …_CLIENT_CERTIFICATE; the resource
// OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES.

export type Environment = Readonly<Record<string, string | undefined>>;
type Warn = (message: string) => void;

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplers)[number];

export interface OtelSettings {
  readonly sampler: SamplerName;
  /** From 0 to 1, for the samplers by ratio. */
  readonly ratio: number;
  /** Of the processor that gathers spans; what is missing is the SDK's own. */
  readonly batch: Limits<"maxQueueSize" | "maxExportBatchSize" | "scheduledDelayMillis" | "exportTimeoutMillis">;
  readonly spanLimits: Limits<"attributeValueLengthLimit" | "attributeCountLimit">;
  readonly propagates: boolean;
  /** Whether prompts, answers, arguments and results of tools go into spans, as the model saw them. */
  readonly contents: boolean;
  readonly namesService: boolean;
}

type Limits<Name extends string> = { readonly [K in Name]?: number };

const read = (env: Environment, name: string): string => env[name]?.trim() ?? "";

/** Whether spans are to be exported: an endpoint is named, and nothing switches the SDK or its exporter off. */
export function wantsTraces(env: Environment): boolean {
  const endpoint = read(env, "OTEL_EXPORTER_OTLP_ENDPOINT") || read(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const exporter = read(env, "OTEL_TRACES_EXPORTER") || "otlp";
  return endpoint !== "" && read(env, "OTEL_SDK_DISABLED").toLowerCase() !== "true" && exporter === "otlp";
}

/** Reads the settings. A value that is not understood is warned of, and its default stands, as the specification wants it. */
export function readOtelSettings(env: Environment, warn: Warn): OtelSettings {
  const protocol =
    read(env, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || read(env, "OTEL_EXPORTER_OTLP_PROTOCOL") || "http/protobuf";
  if (protocol !== "http/protobuf")
    warn(
      "Spans are exported by http/protobuf only; point OTEL_EXPORTER_OTLP_ENDPOINT at such a receiver (usually port 4318).",
    );
  const attributes = (what: string) => [`OTEL_SPAN_ATTRIBUTE_${what}_LIMIT`, `OTEL_ATTRIBUTE_${what}_LIMIT`];
  return {
    sampler: samplerOf(read(env, "OTEL_TRACES_SAMPLER"), warn),
    ratio: ratioOf(read(env, "OTEL_TRACES_SAMPLER_ARG"), warn),
    batch: {
      ...limit(env, warn, "maxQueueSize", ["OTEL_BSP_MAX_QUEUE_SIZE"]),
      ...limit(env, warn, "maxExportBatchSize", ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE"]),
      ...limit(env, warn, "scheduledDelayMillis", ["OTEL_BSP_SCHEDULE_DELAY"], 0),
      ...limit(env, warn, "exportTimeoutMillis", ["OTEL_BSP_EXPORT_TIMEOUT"]),
    },
    spanLimits: {
      ...limit(env, warn, "attributeValueLengthLimit", attributes("VALUE_LENGTH")),
      ...limit(env, warn, "attributeCountLimit", attributes("COUNT")),
    },
    propagates: propagatesIn(read(env, "OTEL_PROPAGATORS") || "tracecontext", warn),
    contents: read(env, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT").toLowerCase() === "true",
    namesService:
      read(env, "OTEL_SERVICE_NAME") !== "" || /(^|,)\s*service\.name\s*=/.test(read(env, "OTEL_RESOURCE_ATTRIBUTES")),
  };
}

/** A limit from the first of these variables that has a valid value; no member where none has. */
function limit<Name extends string>(
  env: Environment,
  warn: Warn,
  member: Name,
  names: readonly string[],
  least = 1,
): Limits<Name> {
  for (const name of names) {
    const text = read(env, name);
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return { [member]: Number(text) } as Limits<Name>;
    if (text !== "") warn(`${name} must be a whole number of at least ${least}; its default stands.`);
  }
  return {};
}

function samplerOf(text: string, warn: Warn): SamplerName {
  const sampler = samplers.find((name) => name === text);
  if (text !== "" && sampler === undefined)
    warn(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(", ")}; parentbased_always_on stands.`);
  return sampler ?? "parentbased_always_on";
}

function ratioOf(text: string, warn: Warn): number {
  const ratio = text === "" ? 1 : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; 1 stands.");
  return 1;
}

function propagatesIn(text: string, warn: Warn): boolean {
  const names = text.split(",").map((name) => name.trim());
  if (names.some((name) => !["tracecontext", "baggage", "none"].includes(name)))
    warn("OTEL_PROPAGATORS: of the propagators that it names only tracecontext is known here.");
  return names.includes("tracecontext");
}
