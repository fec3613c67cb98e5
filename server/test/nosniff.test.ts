import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PortalSite } from "../src/http/portal/site.ts";
import { createMetricsServer, type MetricsServer, serveMetrics } from "../src/telemetry/index.ts";
import { startTestApp, type TestApp } from "../src/testing/app.ts";

// Every answer says that browsers must take it for what its Content-Type says, whoever wrote it: operations, pages, the router, Node's own parser.

let folder: string;
let app: TestApp;
let unbuilt: TestApp;
let metrics: MetricsServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "aos-nosniff-"));
  await writeFile(path.join(folder, "index.html"), "<!doctype html><title>The portal</title>");
  app = await startTestApp({ portal: new PortalSite({ folder, ensure: async () => undefined }) });
  const broken = new PortalSite({ folder, ensure: () => Promise.reject(new Error("cannot be built")) });
  unbuilt = await startTestApp({ portal: broken, connectionString: app.connectionString });
  const expose = async () => ({ contentType: "text/plain", text: "aos_up 1\n" });
  const access = { token: "a-token-of-the-operator", open: true };
  metrics = await createMetricsServer({
    host: "127.0.0.1",
    port: 0,
    metrics: (given) => serveMetrics(access, given, expose),
    ready: () => false,
  });
});
afterAll(async () => {
  await metrics?.stop();
  await unbuilt?.close();
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Status and header of the answer; the rest of it is dropped, so that a stream ends here. */
function ask(
  base: string,
  method: string,
  where: string,
  { headers = {}, body }: Sent = {},
): Promise<[number, string | undefined]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number, string | undefined]>();
  const sent = request(base, { path: where, method, headers, agent: false }, (answer) => {
    resolve([answer.statusCode ?? 0, answer.headers["x-content-type-options"] as string | undefined]);
    answer.destroy();
  });
  sent.on("error", reject);
  sent.end(body);
  return promise;
}

/** What comes back for bytes that Node's parser refuses, or answers by itself. */
async function askRaw(base: string, bytes: string): Promise<[number, string | undefined]> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const answer = await text(socket);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  return [status, /^x-content-type-options: (.*)$/im.exec(answer)?.[1]?.trim()];
}

const json = { "content-type": "application/json" };
const preflight = { origin: "https://a.example", "access-control-request-method": "GET" };
const browser = { accept: "text/html" };

describe("an answer of the API", () => {
  it.each<[number, string, string, Sent?]>([
    [200, "GET", "/v1/agents/sales"],
    [200, "HEAD", "/v1/agents/sales"],
    [200, "GET", "/v1/agents/sales", { headers: { accept: "application/yaml" } }],
    [200, "GET", "/v1/webhooks/stream", { headers: { accept: "text/event-stream" } }],
    [304, "GET", "/v1/agents/sales", { headers: { "if-none-match": "*" } }],
    [400, "POST", "/v1/agents/sales/tasks", { headers: json, body: "{" }],
    [400, "GET", "/v1/agents?unknown=1"],
    [404, "GET", "/v1/agents/nobody"],
    [404, "GET", "/v1/nothing"],
    [404, "GET", "/v1/%zz"],
    [404, "GET", `/v1/agents/${"a".repeat(400)}`],
    [405, "PUT", "/v1/agents"],
    [406, "GET", "/v1/agents/sales", { headers: { accept: "image/png" } }],
    [413, "POST", "/v1/agents/sales/tasks", { headers: json, body: "x".repeat(1_100_000) }],
    [415, "POST", "/v1/agents/sales/tasks", { headers: { "content-type": "text/plain" }, body: "x" }],
    [422, "POST", "/v1/agents/sales/tasks", { headers: json, body: "{}" }],
    [202, "POST", "/v1/agents/sales/tasks", { headers: json, body: '{"task": "qualify_lead", "lead_id": "ld_1001"}' }],
    [
      207,
      "POST",
      "/v1/tasks/batch",
      { headers: json, body: '{"items": [{"agent": "sales", "task": "qualify_lead", "lead_id": "ld_1001"}]}' },
    ],
  ])("%i to %s %s has nosniff", async (status, method, where, sent = {}) => {
    const headers = { ...sent.headers, authorization: `Bearer ${app.key("admin")}` };
    expect(await ask(app.url, method, where, { ...sent, headers })).toEqual([status, "nosniff"]);
  });

  it.each<[number, string, string, Sent?]>([
    [401, "GET", "/v1/agents"],
    [401, "GET", "/v1/nothing"],
    [204, "OPTIONS", "/v1/agents", { headers: preflight }],
    [422, "POST", "/auth/session", { headers: json, body: "{}" }],
  ])("%i to %s %s without a key has nosniff", async (status, method, where, sent = {}) => {
    expect(await ask(app.url, method, where, sent)).toEqual([status, "nosniff"]);
  });
});

describe("an answer outside the pipeline", () => {
  it.each<[number, string, Record<string, string>?]>([
    [200, "/healthz"],
    [200, "/readyz"],
    [200, "/metrics"],
    [200, "/openapi.json"],
    [200, "/workflow.schema.json"],
    [200, "/docs"],
    [404, "/docs/nothing"],
    [200, "/docs/assets/docs.js"],
    [200, "/"],
    [404, "/assets/nothing.js"],
    [404, "/nothing", browser],
  ])("%i to %s has nosniff", async (status, where, headers = {}) => {
    expect(await ask(app.url, "GET", where, { headers })).toEqual([status, "nosniff"]);
  });

  it("503 for a portal that could not be built has nosniff", async () => {
    expect(await ask(unbuilt.url, "GET", "/")).toEqual([503, "nosniff"]);
  });
});

const unparsed: [string, number, string][] = [
  ["what is not HTTP", 400, "nonsense\r\n\r\n"],
  ["an unknown method", 400, "GRAB / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["a request without Host", 400, "GET /healthz HTTP/1.1\r\n\r\n"],
  [
    "an expectation that cannot be met",
    417,
    "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n",
  ],
  ["headers over the limit", 431, `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`],
];

describe("an answer below the router", () => {
  it.each(unparsed)("to %s, %i, has nosniff", async (_what, status, bytes) => {
    expect(await askRaw(app.url, bytes)).toEqual([status, "nosniff"]);
  });
});

describe("an answer at the port of metrics", () => {
  const base = () => `http://127.0.0.1:${metrics.port}`;
  const authorization = "Bearer a-token-of-the-operator";

  it.each<[number, string, string, Record<string, string>?]>([
    [200, "GET", "/metrics", { authorization }],
    [200, "HEAD", "/metrics", { authorization }],
    [401, "GET", "/metrics"],
    [405, "POST", "/metrics"],
    [404, "GET", "/nothing"],
    [200, "GET", "/healthz"],
    [503, "GET", "/readyz"],
  ])("%i to %s %s has nosniff", async (status, method, where, headers = {}) => {
    expect(await ask(base(), method, where, { headers })).toEqual([status, "nosniff"]);
  });

  it.each(unparsed)("to %s, %i, has nosniff", async (_what, status, bytes) => {
    expect(await askRaw(base(), bytes)).toEqual([status, "nosniff"]);
  });
});
