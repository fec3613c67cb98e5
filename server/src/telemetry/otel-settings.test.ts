import { describe, expect, it } from "vitest";
import { readOtelSettings, wantsTraces } from "./otel-settings.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
const read = (env: Record<string, string>) => {
  const warnings: string[] = [];
  return { settings: readOtelSettings(env, (message) => warnings.push(message)), warnings };
};

describe("spans", () => {
  it.each([
    [endpoint, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces" }, true],
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: " " }, false],
    [{ ...endpoint, OTEL_SDK_DISABLED: "true" }, false],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: "none" }, false],
  ])("are exported as %j says", (env, wanted) => {
    expect(wantsTraces(env)).toBe(wanted);
  });
});

describe("the settings of OpenTelemetry", () => {
  it("have the defaults of its specification, and no contents", () => {
    expect(read({})).toEqual({
      warnings: [],
      settings: {
        sampler: "parentbased_always_on",
        ratio: 1,
        batch: {},
        spanLimits: {},
        propagates: true,
        contents: false,
        namesService: false,
      },
    });
  });

  it("are taken from the environment", () => {
    const { settings, warnings } = read({
      ...{
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        OTEL_BSP_SCHEDULE_DELAY: "0",
        OTEL_BSP_MAX_QUEUE_SIZE: "10",
      },
      ...{
        OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: "100",
        OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: "200",
        OTEL_PROPAGATORS: "none",
      },
      ...{
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "True",
        OTEL_RESOURCE_ATTRIBUTES: "a=b,service.name=ours",
      },
    });
    expect(warnings).toEqual([]);
    expect(settings).toEqual({
      ...{
        sampler: "traceidratio",
        ratio: 0.25,
        batch: { scheduledDelayMillis: 0, maxQueueSize: 10 },
        spanLimits: { attributeValueLengthLimit: 200 },
      },
      propagates: false,
      contents: true,
      namesService: true,
    });
  });

  it("that are not understood leave the default, and are told by name without their value", () => {
    const { settings, warnings } = read({
      OTEL_TRACES_SAMPLER: "jaeger_remote",
      OTEL_TRACES_SAMPLER_ARG: "2",
      OTEL_BSP_MAX_QUEUE_SIZE: "many",
      OTEL_PROPAGATORS: "b3",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    });
    expect(settings).toMatchObject({ sampler: "parentbased_always_on", ratio: 1, batch: {} });
    expect(warnings.map((one) => /[A-Z_]{6,}/.exec(one)?.[0]).sort()).toEqual([
      ...[
        "OTEL_BSP_MAX_QUEUE_SIZE",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OTEL_PROPAGATORS",
        "OTEL_TRACES_SAMPLER",
        "OTEL_TRACES_SAMPLER_ARG",
      ],
    ]);
    expect(warnings.join()).not.toMatch(/jaeger_remote|many/);
  });
});
