import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { generateKey } from "../../src/kernel/key-format.ts";
import { createTelemetry, type Telemetry } from "../../src/telemetry/index.ts";
import { createLog, reporter, withoutSecrets } from "../../src/telemetry/log.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../../src/telemetry/otlp-receiver.fixture.ts";
import { startTestApp, type TestApp } from "../../src/testing/app.ts";

// Secrets go in by every way that callers have; nothing that the process tells of itself, at its most talkative, may hold one.

let receiver: OtlpReceiver;
let telemetry: Telemetry;
let app: TestApp;
let tool: { readonly server: Server; readonly url: string; readonly seen: string[] };
const lines: string[] = [];
const secrets: string[] = [];

/** A secret of a form that no filter could know. */
const secret = (way: string): string => {
  const made = `${way}${randomBytes(12).toString("hex")}`;
  secrets.push(made);
  return made;
};
const key = (): string => {
  const made = generateKey("development", randomBytes);
  secrets.push(made);
  return made;
};

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  tool = { server, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint);
  const log = createLog("trace", () => telemetry?.tracer?.active()?.traceId ?? null, {
    write: (line) => void lines.push(line),
  });
  telemetry = await createTelemetry({ env: process.env, version: "test", role: "all", log });
  app = await startTestApp({ role: "all", telemetry, log });
}, 120_000);

afterAll(async () => {
  await app.close();
  await telemetry.stop();
  await Promise.all([receiver.close(), new Promise((resolve) => tool.server.close(resolve))]);
  vi.unstubAllEnvs();
});

const ok = async (method: string, path: string, body?: unknown) => {
  const answered = await app.call(method, path, body === undefined ? {} : { body });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered.body;
};

/** Secrets in what tasks are about and what people say of them, and credentials that go out to a receiver. */
async function workWithSecrets(): Promise<void> {
  const connection = {
    name: "vault",
    kind: "http",
    base_url: `${tool.url}/${secret("base")}`,
    secret: secret("connection"),
  };
  await ok("POST", "/v1/admin/connections", connection);
  await ok("POST", "/v1/admin/connections/vault/test", {});
  await app.dispatch({ require_approval: false, lead_id: `ld_${secret("input")}` });
  const { task_id } = await app.dispatch({ lead_id: `ld_${secret("input")}`, labels: [secret("label")] });
  const { digest } = await ok("GET", `/v1/approvals/${task_id}`);
  await ok("POST", `/v1/approvals/${task_id}/reject`, { digest, reason: `It is about ${secret("reason")}.` });
}

/** Secrets in every part of requests, whether or not they are accepted. */
async function callWithSecrets(): Promise<void> {
  await app.call("GET", "/v1/agents", { key: key() });
  await app.call("GET", "/v1/agents", { key: null, headers: { authorization: `Basic ${secret("basic")}` } });
  await app.call("GET", `/v1/${secret("path")}`, { key: key() });
  await app.call("GET", `/v1/tasks/${secret("id")}`);
  await app.call("GET", `/v1/tasks/tsk_${secret("id")}`);
  await app.call("GET", `/v1/agents/${key()}`);
  await app.call("GET", `/v1/agents?limit=${secret("query")}&${secret("query")}=1`);
  await app.call(secret("METHOD").toUpperCase(), "/v1/agents").catch(() => undefined);
  await app.call("POST", "/v1/agents/sales/tasks", { body: `{"${secret("json")}": ` });
  await app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: secret("task"), [secret("member")]: secret("value") },
  });
  const names = [
    "idempotency-key",
    "if-match",
    "prefer",
    "accept",
    "user-agent",
    "cookie",
    "x-request-id",
    "baggage",
    "tracestate",
    "traceparent",
  ];
  for (const name of names) {
    const value = name === "tracestate" ? `vendor=${secret(name)}` : secret(name.replace("-", ""));
    const headers = {
      [name]: value,
      ...(name === "tracestate" ? { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` } : {}),
    };
    await app.call("POST", "/v1/agents/sales/tasks", {
      headers,
      body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
    });
    await app.call("GET", "/v1/agents", { headers });
  }
  await app.call("POST", "/v1/admin/keys", { body: { name: secret("name"), role: secret("role") } });
}

describe("secrets in every part of calls, of connections and of tasks", () => {
  it("stand in no line of the log, no metric and no span, while all three tell of the calls", async () => {
    await callWithSecrets();
    await workWithSecrets();
    const metrics = await vi.waitFor(
      async () => {
        await telemetry.flush();
        expect(receiver.spans.some(({ name }) => name.startsWith("invoke_agent"))).toBe(true);
        return (await app.call("GET", "/metrics", { key: null })).text;
      },
      { timeout: 20_000 },
    );
    expect(secrets.length).toBeGreaterThan(30);
    expect(tool.seen.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes('"msg":"a call"')).length).toBeGreaterThan(20);
    expect(receiver.spans.filter(({ kind }) => kind === "server").length).toBeGreaterThan(20);
    const spans = receiver.requests.map(({ body }) => body.toString("latin1")).join("");
    const lower = { log: lines.join("").toLowerCase(), metrics: metrics.toLowerCase(), spans: spans.toLowerCase() };
    for (const one of secrets)
      for (const [where, text] of Object.entries(lower))
        expect(text.includes(one.toLowerCase()), `${one} in ${where}`).toBe(false);
  });

  it("leave lines that name request, operation, principal, status, time, record and trace", () => {
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = parsed.find(
      ({ msg, operation, status }) => msg === "a call" && operation === "agents.dispatchTask" && status === 202,
    );
    expect(line).toMatchObject({
      ...{
        level: 20,
        environment: "development",
        principal: expect.stringMatching(/^mbr_/),
        duration_ms: expect.any(Number),
      },
      ...{
        request_id: expect.stringMatching(/^req_/),
        audit_ref: expect.stringMatching(/^aud_/),
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
    const refused = parsed.find(({ status }) => status === 401);
    expect(refused).toMatchObject({ principal: "anonymous", code: expect.any(String) });
  });
});

describe("a fault", () => {
  it("is logged with its stack and its cause, and without the rows and the secrets that it quotes", () => {
    const written: string[] = [];
    const log = createLog("error", () => null, { write: (line) => void written.push(line) });
    const own = key();
    const cause = Object.assign(new Error("duplicate key value violates unique constraint"), {
      ...{
        code: "23505",
        detail: "Key (input)=(a-row-of-somebody) already exists.",
        where: "a-row-of-somebody",
        parameters: ["a-row-of-somebody"],
      },
    });
    reporter(log)(
      new Error(`no entry for Bearer ${own} at postgresql://aos:pass-word@db/aos`, { cause }),
      "req_1",
      "agents.dispatchTask",
    );
    const line = JSON.parse(written.join(""));
    expect(line).toMatchObject({
      request_id: "req_1",
      operation: "agents.dispatchTask",
      err: { type: "Error", cause: { code: "23505" } },
    });
    expect(line.err.stack).toContain("secrets.test.ts");
    expect(written.join("")).not.toMatch(/a-row-of-somebody|pass-word/);
    expect(written.join("")).not.toContain(own);
  });

  it.each([
    ["Bearer abc.def-ghi", "Bearer [redacted]"],
    ["the key sk-ant-0123456789abcdef is wrong", "the key [redacted] is wrong"],
    ["whsec_0123456789abcdef==", "[redacted]"],
    ["https://user:pass@host/path", "https://user:[redacted]@host/path"],
    ["at 10:20:30, see https://host:8080/path", "at 10:20:30, see https://host:8080/path"],
    ['{"risk-assessment-of-something":1}', '{"risk-assessment-of-something":1}'],
  ])("that says %s says %s", (said, written) => {
    expect(withoutSecrets(said)).toBe(written);
  });
});
