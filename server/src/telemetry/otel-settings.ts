// OpenTelemetry's own settings (specification, "Environment Variable Specification"), as far as the SDK does not read them itself. What the exporter reads:
// OTEL_EXPORTER_OTLP_[TRACES_]ENDPOINT, …_HEADERS, …_TIMEOUT, …_COMPRESSION, …_CERTIFICATE, …_CLIENT_KEY, …_CLIENT_CERTIFICATE. What the resource
// reads: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES.

export type Environment = Readonly<Record<string, string | undefined>>;

export type SamplerName =
  | "always_on"
  | "always_off"
  | "traceidratio"
  | "parentbased_always_on"
  | "parentbased_always_off"
  | "parentbased_traceidratio";

export interface OtelSettings {
  readonly sampler: SamplerName;
  /** From 0 to 1, for the samplers by ratio. */
  readonly ratio: number;
  /** Of the processor that gathers spans; undefined: the SDK's own. */
  readonly batch: {
    readonly maxQueueSize?: number;
    readonly maxExportBatchSize?: number;
    readonly scheduledDelayMillis?: number;
    readonly exportTimeoutMillis?: number;
  };
  readonly attributeValueLengthLimit?: number;
  readonly attributeCountLimit?: number;
  readonly propagates: boolean;
  /** Whether prompts, answers, arguments and results of tools go into spans, as the model saw them. */
  readonly contents: boolean;
  readonly namesService: boolean;
}

const samplers: readonly string[] = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] satisfies SamplerName[];

const read = (env: Environment, name: string): string => env[name]?.trim() ?? "";

/** Whether spans are to be exported: an endpoint is named, and nothing switches the SDK or its exporter off. */
export function wantsTraces(env: Environment): boolean {
  const named =
    read(env, "OTEL_EXPORTER_OTLP_ENDPOINT") !== "" || read(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") !== "";
  const exporter = read(env, "OTEL_TRACES_EXPORTER") || "otlp";
  return named && read(env, "OTEL_SDK_DISABLED").toLowerCase() !== "true" && exporter === "otlp";
}

/** Reads the settings. `warn` is told of a value that is not understood; as the specification wants it, the default then stands. */
export function readOtelSettings(env: Environment, warn: (message: string) => void): OtelSettings {
  const whole = (name: string, least: number): number | undefined => {
    const text = read(env, name);
    if (text === "") return undefined;
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    warn(`${name} must be a whole number of at least ${least}; its default stands.`);
    return undefined;
  };
  const protocol =
    read(env, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || read(env, "OTEL_EXPORTER_OTLP_PROTOCOL") || "http/protobuf";
  if (protocol !== "http/protobuf")
    warn(
      "Spans are exported by http/protobuf only; point OTEL_EXPORTER_OTLP_ENDPOINT at such a receiver (usually port 4318).",
    );
  const length = whole("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", 1) ?? whole("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", 1);
  const count = whole("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", 1) ?? whole("OTEL_ATTRIBUTE_COUNT_LIMIT", 1);
  return {
    sampler: samplerOf(env, warn),
    ratio: ratioOf(env, warn),
    batch: defined({
      maxQueueSize: whole("OTEL_BSP_MAX_QUEUE_SIZE", 1),
      maxExportBatchSize: whole("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1),
      scheduledDelayMillis: whole("OTEL_BSP_SCHEDULE_DELAY", 0),
      exportTimeoutMillis: whole("OTEL_BSP_EXPORT_TIMEOUT", 1),
    }),
    ...defined({ attributeValueLengthLimit: length, attributeCountLimit: count }),
    propagates: propagatesIn(env, warn),
    contents: read(env, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT").toLowerCase() === "true",
    namesService:
      read(env, "OTEL_SERVICE_NAME") !== "" || /(^|,)\s*service\.name\s*=/.test(read(env, "OTEL_RESOURCE_ATTRIBUTES")),
  };
}

function samplerOf(env: Environment, warn: (message: string) => void): SamplerName {
  const name = read(env, "OTEL_TRACES_SAMPLER") || "parentbased_always_on";
  if (samplers.includes(name)) return name as SamplerName;
  warn(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(", ")}; parentbased_always_on stands.`);
  return "parentbased_always_on";
}

function ratioOf(env: Environment, warn: (message: string) => void): number {
  const text = read(env, "OTEL_TRACES_SAMPLER_ARG");
  if (text === "") return 1;
  const ratio = Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; 1 stands.");
  return 1;
}

function propagatesIn(env: Environment, warn: (message: string) => void): boolean {
  const names = (read(env, "OTEL_PROPAGATORS") || "tracecontext").split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !["tracecontext", "baggage", "none"].includes(name));
  if (unknown.length > 0) warn("OTEL_PROPAGATORS: of the propagators that it names only tracecontext is known here.");
  return names.includes("tracecontext");
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
