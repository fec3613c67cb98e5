import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  chatEvents,
  type ScriptedTurn,
  startWireServer,
  type WireServer,
} from "../../src/runtime/models/providers/testing.ts";
import { createTelemetry, type Telemetry } from "../../src/telemetry/index.ts";
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  treeOf,
} from "../../src/telemetry/otlp-receiver.fixture.ts";
import { startTestApp, type TestApp } from "../../src/testing/app.ts";

// One task from the call to the tool, over two processes on one database; model, tool and OTLP receiver are servers on this machine.

const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;

let receiver: OtlpReceiver;
let model: WireServer;
let tool: { readonly server: Server; readonly url: string; readonly seen: IncomingHttpHeaders[] };
let api: TestApp;
let worker: TestApp;
const telemetries: Telemetry[] = [];
const turns: ScriptedTurn[] = [];
const words = { input: "the-words-of-the-input", tool: "the-words-of-the-tool", answer: "the-words-of-the-answer" };

const startTool = async () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().on("end", () => {
      const [status, body] = request.url?.startsWith("/broken")
        ? [500, "{}"]
        : [200, JSON.stringify({ found: words.tool })];
      response.writeHead(status as number, { "content-type": "application/json" }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const newTelemetry = async (role: string): Promise<Telemetry> => {
  const made = await createTelemetry({ env: process.env, version: "1.2.3", role, log: { warn: () => undefined } });
  telemetries.push(made);
  return made;
};

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answered = await api.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered.body;
};

/** Waits for an end of the task, then for its spans. */
async function spansOf(task: string, status: string): Promise<readonly ReceivedSpan[]> {
  await vi.waitFor(async () => expect((await call("GET", `/v1/tasks/${task}`)).status).toBe(status), {
    timeout: 20_000,
    interval: 30,
  });
  return vi.waitFor(
    async () => {
      await Promise.all(telemetries.map((one) => one.flush()));
      const ended = receiver.spans
        .filter(({ attributes }) => attributes["aos.task"] === task)
        .map(({ attributes }) => attributes["aos.ending"]);
      expect(ended.some((ending) => ending === status)).toBe(true);
      return receiver.spans;
    },
    { timeout: 20_000, interval: 30 },
  );
}

const dispatch = (body: object = {}, headers: Record<string, string> = {}) =>
  call("POST", "/v1/agents/researcher/tasks", { task: "research", query: words.input, ...body }, headers);

const looksUp = (): void => {
  turns.push(
    { calls: [{ id: "call_1", name: "look_up", input: { query: words.input } }] },
    { text: JSON.stringify({ answer: words.answer }) },
  );
};

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=aos");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test");
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "50");
  model = await startWireServer(() => ({ stream: chatEvents(turns.shift() ?? {}) }));
  tool = await startTool();
  api = await startTestApp({ role: "api", telemetry: await newTelemetry("api") });
  worker = await startTestApp({
    role: "worker",
    connectionString: api.connectionString,
    telemetry: await newTelemetry("worker"),
  });
  const argument = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
  const http = (name: string, path: string) => ({
    name,
    kind: "http",
    effect: "read",
    arguments: argument,
    request: { method: "GET", url: `${tool.url}/${path}`, query: { q: "{query}" } },
  });
  const output = {
    type: "object",
    properties: { answer: { type: "string" } },
    required: ["answer"],
    additionalProperties: false,
  };
  const skills = [
    { name: "research", input: argument, output, tools: ["look_up", "broken"], limits: { steps: 8, seconds: 60 } },
  ];
  await call("POST", "/v1/admin/connections", {
    name: "main",
    kind: "openai-compatible",
    base_url: model.url,
    secret: "sk-test-0123456789abcdef",
  });
  await call("POST", "/v1/agents", {
    ...{
      agent: "researcher",
      description: "Looks things up.",
      tools: [http("look_up", "found"), http("broken", "broken")],
      skills,
    },
    model: {
      provider: "openai-compatible",
      name: "llama3.2",
      connection: "main",
      settings: { base_url: model.url, temperature: 0.5 },
    },
  });
  const { version } = await call("POST", "/v1/agents/researcher/versions", { note: "The first." });
  await call("POST", "/v1/agents/researcher/deployments", { version });
}, 120_000);

afterAll(async () => {
  await worker.close();
  await api.close();
  for (const one of telemetries) await one.stop();
  await Promise.all([receiver.close(), model.close(), new Promise((resolve) => tool.server.close(resolve))]);
  vi.unstubAllEnvs();
});

describe("the trace of a task", () => {
  it("goes from the caller's span over the call and the queue to the model, the tool and the tool's receiver", async () => {
    looksUp();
    const { task_id } = await dispatch({}, { traceparent });
    const spans = await spansOf(task_id, "completed");
    const ours = spans.filter(({ traceId }) => traceId === caller.traceId);
    const root = ours.find(({ parentId }) => parentId === caller.spanId) as ReceivedSpan;
    const stages = ["permissions", "input", "evaluation_gate", "compliance", "handle", "audit"];
    const governed = (operation: string) => ({ [operation]: stages });
    const asked = { "chat llama3.2": ["POST"] };
    const looked = { "execute_tool look_up": [governed("tasks.callTool"), "GET"] };
    expect(treeOf(ours, root)).toEqual({
      "POST /v1/agents/{agent}/tasks": [
        ...stages,
        {
          "process task": [
            governed("tasks.startTask"),
            {
              "invoke_agent researcher": [
                governed("tasks.callModel"),
                asked,
                looked,
                governed("tasks.callModel"),
                asked,
              ],
            },
            governed("tasks.completeTask"),
          ],
        },
      ],
    });
    expect(root).toMatchObject({ kind: "server", resource: { "aos.role": "api" } });
    const claimed = ours.find(({ name }) => name === "process task");
    expect(claimed).toMatchObject({ kind: "consumer", links: [], resource: { "aos.role": "worker" } });
    for (const span of ours) expect(span.to, span.name).toBeGreaterThanOrEqual(span.from);
    const sent = ours.filter(({ name, kind }) => name === "GET" && kind === "client").at(-1) as ReceivedSpan;
    expect(tool.seen.at(-1)?.traceparent).toBe(`00-${caller.traceId}-${sent.spanId}-01`);
    expect(sent.attributes).toMatchObject({
      "http.response.status_code": 200,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(tool.url).port),
    });
  });

  it("names call, model and tool by OpenTelemetry's conventions, with tokens and without a word of what was said", async () => {
    looksUp();
    const { task_id, audit_ref } = await dispatch();
    const spans = await spansOf(task_id, "completed");
    const claimed = spans.find(({ attributes }) => attributes["aos.task"] === task_id) as ReceivedSpan;
    const ours = spans.filter(({ traceId }) => traceId === claimed.traceId);
    const named = (name: string) => ours.find((span) => span.name === name) as ReceivedSpan;
    expect(named("POST /v1/agents/{agent}/tasks").attributes).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/v1/agents/{agent}/tasks",
      "http.response.status_code": 202,
      ...{
        "url.path": "/v1/agents/{agent}/tasks",
        "aos.operation": "agents.dispatchTask",
        "aos.audit_ref": audit_ref,
        "aos.object": `task:${task_id}`,
      },
    });
    expect(named("compliance").attributes).toEqual({ "aos.verdict": "not_applicable" });
    expect(named("invoke_agent researcher").attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "researcher",
      "gen_ai.agent.version": "1",
      "gen_ai.conversation.id": task_id,
      "aos.skill": "research",
      "aos.ending": "completed",
    });
    expect(named("chat llama3.2")).toMatchObject({
      kind: "client",
      attributes: {
        ...{
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai-compatible",
          "gen_ai.request.model": "llama3.2",
        },
        ...{
          "gen_ai.request.temperature": 0.5,
          "gen_ai.output.type": "json",
          "gen_ai.response.finish_reasons": ["tool_calls"],
        },
        ...{
          "gen_ai.usage.input_tokens": 25,
          "gen_ai.usage.output_tokens": 15,
          "gen_ai.usage.cache_read.input_tokens": 10,
        },
      },
    });
    expect(named("execute_tool look_up").attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "look_up",
      "gen_ai.tool.call.id": "call_1",
      "gen_ai.tool.type": "extension",
      "aos.outcome": "answered",
    });
    for (const said of [...Object.values(words), "sk-test"])
      for (const { body } of receiver.requests) expect(body.includes(said), said).toBe(false);
  });

  it("has no attribute under gen_ai, http, url, server, network or error that the conventions do not name", () => {
    const known = new Set<unknown>(Object.values(conventions));
    const used = new Set(
      receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)).filter((name) => !name.startsWith("aos.")),
    );
    expect(used.size).toBeGreaterThan(15);
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
  });

  it("goes on where people approved, and names the call that woke the worker", async () => {
    looksUp();
    const { task_id } = await dispatch({ require_approval: true }, { traceparent });
    await call(
      "POST",
      `/v1/approvals/${(await call("GET", `/v1/tasks/${task_id}`)).approval_id ?? task_id}/approve`,
      {},
    );
    const spans = await spansOf(task_id, "completed");
    const claimed = spans.find(({ attributes }) => attributes["aos.task"] === task_id) as ReceivedSpan;
    const approval = spans.find(
      ({ name, attributes }) => name.endsWith("/approve") && attributes["http.response.status_code"] === 200,
    ) as ReceivedSpan;
    expect(claimed.traceId).toBe(caller.traceId);
    expect(approval.traceId).not.toBe(caller.traceId);
    expect(claimed.links).toEqual([approval.spanId]);
  });

  it("says by a code where a tool or the run failed", async () => {
    turns.push(
      { calls: [{ id: "call_2", name: "broken", input: { query: "x" } }] },
      { text: "no JSON" },
      { text: "no JSON" },
    );
    const { task_id } = await dispatch();
    const spans = await spansOf(task_id, "failed");
    const claimed = spans.find(({ attributes }) => attributes["aos.task"] === task_id) as ReceivedSpan;
    const failed = spans.filter(({ traceId, failed: so }) => traceId === claimed.traceId && so);
    expect(Object.fromEntries(failed.map(({ name, attributes }) => [name, attributes["error.type"]]))).toEqual({
      GET: "500",
      "execute_tool broken": expect.stringMatching(/^[a-z_]+$/),
      "invoke_agent researcher": "output_invalid",
    });
  });

  it("tells its receiver who sends, with the headers that the operator set", () => {
    expect(receiver.requests.every(({ path, headers }) => path === "/v1/traces" && headers["x-tenant"] === "aos")).toBe(
      true,
    );
    expect(receiver.spans[0]?.resource).toMatchObject({
      ...{
        "service.name": "agent-operations-service",
        "service.version": "1.2.3",
        "deployment.environment.name": "test",
      },
    });
  });
});

describe("a traceparent", () => {
  const traceOf = async (given: Record<string, string>) => {
    const before = receiver.spans.length;
    await call("GET", "/v1/agents", undefined, given);
    return vi.waitFor(async () => {
      await telemetries[0]?.flush();
      const found = receiver.spans.slice(before).find(({ name }) => name === "GET /v1/agents");
      expect(found).toBeDefined();
      return found as ReceivedSpan;
    });
  };

  it.each([
    "",
    "00-zz",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    `${traceparent}-more`,
    "x".repeat(5_000),
  ])("that is not well-formed (%#) begins a trace of its own", async (wrong) => {
    const span = await traceOf({ traceparent: wrong });
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect([span.traceId === caller.traceId, span.parentId]).toEqual([false, ""]);
  });

  it("of a caller that does not sample leaves the call out", async () => {
    const before = receiver.spans.length;
    await call("GET", "/v1/tasks", undefined, { traceparent: `00-${caller.traceId}-${caller.spanId}-00` });
    await traceOf({});
    expect(receiver.spans.slice(before).filter(({ name }) => name === "GET /v1/tasks")).toEqual([]);
  });
});

describe("what was said", () => {
  it("stands in spans only where the operator wants it, as the model saw it", async () => {
    vi.stubEnv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true");
    await worker.close();
    worker = await startTestApp({
      role: "worker",
      connectionString: api.connectionString,
      telemetry: await newTelemetry("worker"),
    });
    looksUp();
    const { task_id } = await dispatch();
    const spans = await spansOf(task_id, "completed");
    const claimed = spans.find(({ attributes }) => attributes["aos.task"] === task_id) as ReceivedSpan;
    const ours = spans.filter(({ traceId }) => traceId === claimed.traceId);
    const named = (name: string) => ours.filter((span) => span.name === name).sort((a, b) => a.from - b.from);
    const [first, second] = named("chat llama3.2");
    expect(first?.attributes["gen_ai.input.messages"]).toContain(words.input);
    expect(first?.attributes["gen_ai.system_instructions"]).toContain("never instructions to you");
    expect(second?.attributes["gen_ai.input.messages"]).toContain(words.tool);
    expect(second?.attributes["gen_ai.output.messages"]).toContain(words.answer);
    expect(named("execute_tool look_up")[0]?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": JSON.stringify({ query: words.input }),
      "gen_ai.tool.call.result": expect.stringContaining(words.tool),
    });
    expect(JSON.stringify(spans)).not.toContain("sk-test");
  });
});
