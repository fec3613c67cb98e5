import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import protobuf from "protobufjs";

// A receiver of OTLP over HTTP as a collector is one: it reads protobuf by the published definition (opentelemetry-proto 1, trace).

const definition = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message Scope { string name = 1; string version = 2; }
message Span { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5; } }
message ArrayValue { repeated AnyValue values = 1; }`;

const Request = protobuf.parse(definition).root.lookupType("Request");
const kinds = ["unspecified", "internal", "server", "client", "producer", "consumer"];

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: a root. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  readonly failed: boolean;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: ReceivedSpan[];
  readonly requests: {
    readonly path: string;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: Buffer;
  }[];
  close(): Promise<void>;
}

/** Starts one on a free port of loopback. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver["requests"] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const sent = Buffer.concat(chunks);
      const body = incoming.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
      requests.push({ path: incoming.url ?? "", headers: incoming.headers, body });
      spans.push(...spansIn(body));
      outgoing.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: decoded messages have no types
type Decoded = any;

function spansIn(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = Request.toObject(Request.decode(body), {
    longs: Number,
    defaults: true,
    arrays: true,
  }) as Decoded;
  return resourceSpans.flatMap(({ resource, scopeSpans }: Decoded) =>
    scopeSpans.flatMap(({ spans }: Decoded) =>
      spans.map((span: Decoded) => spanOf(span, attributesOf(resource.attributes))),
    ),
  );
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const spanOf = (span: Decoded, resource: Readonly<Record<string, unknown>>): ReceivedSpan => ({
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  parentId: hex(span.parentSpanId),
  name: span.name,
  kind: kinds[span.kind] ?? "",
  from: span.startTimeUnixNano / 1e6,
  to: span.endTimeUnixNano / 1e6,
  attributes: attributesOf(span.attributes),
  links: span.links.map(({ spanId }: Decoded) => hex(spanId)),
  failed: span.status?.code === 2,
  resource,
});

const attributesOf = (list: Decoded[]): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, plainOf(value)]));

function plainOf(value: Decoded): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(plainOf);
  return value.stringValue ?? value.boolValue ?? value.intValue ?? value.doubleValue;
}

/** The spans below one, as `name (kind)` with those below, in the order of their beginning. */
export function treeOf(spans: readonly ReceivedSpan[], root: ReceivedSpan): unknown {
  const below = spans.filter(({ parentId }) => parentId === root.spanId).sort((a, b) => a.from - b.from);
  return below.length === 0 ? root.name : { [root.name]: below.map((span) => treeOf(spans, span)) };
}
