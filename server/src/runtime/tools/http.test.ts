import { beforeEach, describe, expect, it } from "vitest";
import type { HttpToolDefinition } from "../../features/agents/schemas.ts";
import { systemClock } from "../../kernel/clock.ts";
import { effectOfRow } from "../../kernel/effect.ts";
import { bodyOf, json, startServer, useOutbound } from "../../outbound/server.fixture.ts";
import { callHttpTool, createOpenApiDescriptions, type HttpTool, type HttpToolCall, httpToolSchema } from "./http.ts";

const server = await startServer();
const outbound = useOutbound({ environment: "development" });
const descriptions = createOpenApiDescriptions({ clock: systemClock });
const origin = `http://127.0.0.1:${server.port}`;

interface Seen {
  readonly line: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}
const seen: Seen[] = [];

beforeEach(() => {
  seen.length = 0;
  answering(json({ ok: true }));
});

/** Notes each request and answers with `answer`. */
function answering(answer: typeof server.answer): void {
  server.answer = async (request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: await bodyOf(request) });
    answer(request, response);
  };
}

const call = (more: Partial<HttpToolCall> = {}): HttpToolCall => ({
  outbound,
  descriptions,
  credentials: null,
  effect: effectOfRow({ key: "tsk_1/3", before: "none" }),
  signal: new AbortController().signal,
  ...more,
});

const look: HttpTool = {
  name: "get_order",
  effect: "read",
  request: { method: "GET", url: `${origin}/orders/{id}`, query: { lang: "{lang}" } },
  arguments: {
    required: ["id"],
    properties: { id: { type: "string", pattern: "^o" }, lang: { type: "string" } },
    additionalProperties: false,
  },
};
const refund: HttpTool = {
  name: "refund",
  effect: "write",
  request: { method: "POST", url: `${origin}/refunds`, body: { order: "{id}", usd: "{usd}" } },
  arguments: {
    type: "object",
    required: ["id", "usd"],
    properties: { id: { type: "string" }, usd: { type: "number" } },
  },
  idempotency: { header: "Idempotency-Key" },
};
const paid = { id: "o1", usd: 2.5 };

describe("a call of an http tool", () => {
  it("sends the request with its arguments and answers the data", async () => {
    const result = await callHttpTool(look, { id: "o1", lang: "de" }, call());
    expect(result).toEqual({
      kind: "answered",
      status: 200,
      output: { ok: true },
      failure: null,
      retryable: false,
      retryAfterMs: null,
    });
    expect(seen.map(({ line }) => line)).toEqual(["GET /orders/o1?lang=de"]);
    expect(seen[0]!.headers).not.toHaveProperty("idempotency-key");
  });

  it("carries the step's key where the tool declares a header for it", async () => {
    await callHttpTool(refund, paid, call());
    expect(seen).toMatchObject([
      { line: "POST /refunds", headers: { "idempotency-key": "tsk_1/3" }, body: '{"order":"o1","usd":2.5}' },
    ]);
  });

  it("takes a tool as a version defines it", async () => {
    const definition: HttpToolDefinition = {
      kind: "http",
      name: "get_order",
      effect: "read",
      connection: "shop",
      request: { method: "GET", url: `${origin}/orders/{id}` },
      arguments: { properties: { id: { type: "string" } } },
    };
    expect((await callHttpTool(definition, { id: "o2" }, call())).kind).toBe("answered");
  });

  it.each([
    [{}, "`id` is required"],
    [{ id: "x" }, "`id` must match the pattern"],
    [{ id: "o1", more: 1 }, "`more` is not known"],
    [["o1"], "must be an object"],
    [{ id: "o1", lang: 3 }, "`lang` must be text"],
  ])("sends nothing for the arguments %j", async (args, words) => {
    const result = await callHttpTool(look, args, call());
    expect(result).toMatchObject({ kind: "not_sent", retryable: false, failure: { code: "arguments_invalid" } });
    expect(result.kind === "not_sent" && result.failure.detail).toContain(words);
    expect(seen).toEqual([]);
  });

  it("takes no arguments where the tool names none", async () => {
    const ping: HttpTool = { name: "ping", effect: "read", request: { method: "GET", url: origin } };
    expect((await callHttpTool(ping, {}, call())).kind).toBe("answered");
    expect(await callHttpTool(ping, { a: 1 }, call())).toMatchObject({
      kind: "not_sent",
      failure: { code: "arguments_invalid" },
    });
  });

  it("sends nothing that would leave the guard", async () => {
    const inside: HttpTool = {
      name: "inside",
      effect: "write",
      request: { method: "POST", url: "https://169.254.169.254/latest" },
    };
    expect(await callHttpTool(inside, {}, call())).toMatchObject({
      kind: "not_sent",
      retryable: false,
      failure: { code: "address_refused" },
    });
    const line: HttpTool = {
      ...inside,
      request: { method: "POST", url: origin, headers: { "x-a": "{a}" } },
      arguments: { properties: { a: {} } },
    };
    expect(await callHttpTool(line, { a: "b\r\nx-c: d" }, call())).toMatchObject({
      kind: "not_sent",
      failure: { code: "request_invalid" },
    });
  });
});

describe("credentials", () => {
  const credentials = { headers: { Authorization: "Bearer very-secret-token" }, origins: [origin] };

  it("go with the request, before what the tool says", async () => {
    const tool: HttpTool = { ...look, request: { ...look.request!, headers: { authorization: "none" } } };
    await callHttpTool(tool, { id: "o1" }, call({ credentials }));
    expect(seen[0]!.headers.authorization).toBe("Bearer very-secret-token");
  });

  it("go to the connection's own origins only, and elsewhere nothing goes", async () => {
    const elsewhere = { ...credentials, origins: ["https://api.example.com"] };
    const result = await callHttpTool(refund, paid, call({ credentials: elsewhere }));
    expect(result).toMatchObject({ kind: "not_sent", failure: { code: "credentials_refused" } });
    expect(JSON.stringify(result)).not.toContain("very-secret");
    expect(seen).toEqual([]);
  });

  it("are not part of what is answered, if the target repeats them", async () => {
    answering(json({ headers: { authorization: "Bearer very-secret-token" }, token: "very-secret-token" }));
    const result = await callHttpTool(look, { id: "o1" }, call({ credentials }));
    expect(result).toMatchObject({ output: { headers: { authorization: "[credential]" }, token: "[credential]" } });
  });
});

describe("what an answer means", () => {
  const meaning = async (tool: HttpTool, status: number, headers: Readonly<Record<string, string>> = {}) => {
    answering(json({ why: "because" }, status, headers));
    const result = await callHttpTool(tool, tool === look ? { id: "o1" } : paid, call());
    return result.kind === "answered" ? (result.failure?.code ?? "done") : result.kind;
  };

  it.each([
    [200, "done", "done"],
    [202, "done", "done"],
    [302, "http_redirect", "unknown_outcome"],
    [307, "http_redirect", "http_redirect"],
    [400, "http_refused", "http_refused"],
    [401, "http_unauthorized", "http_unauthorized"],
    [404, "http_not_found", "http_not_found"],
    [408, "http_refused", "unknown_outcome"],
    [429, "http_rate_limited", "http_rate_limited"],
    [500, "http_server_error", "unknown_outcome"],
    [501, "http_server_error", "http_server_error"],
    [502, "http_server_error", "unknown_outcome"],
    [503, "http_server_error", "unknown_outcome"],
    [504, "http_server_error", "unknown_outcome"],
  ])("%i is %s to who reads and %s to who writes", async (status, reading, writing) => {
    expect(await meaning(look, status)).toBe(reading);
    expect(await meaning(refund, status)).toBe(writing);
  });

  it("takes a 503 for a refusal where it names a time to come back", async () => {
    answering(json({}, 503, { "retry-after": "7" }));
    expect(await callHttpTool(refund, paid, call())).toMatchObject({ kind: "answered", retryAfterMs: 7000 });
  });

  it("keeps what the target said where the outcome is unknown", async () => {
    answering(json({ why: "broken" }, 500));
    const unknown = { kind: "unknown_outcome", status: 500, output: { why: "broken" }, retryAfterMs: null };
    expect(await callHttpTool(refund, paid, call())).toMatchObject(unknown);
    answering(json({}, 502, { "retry-after": "7" }));
    expect(await callHttpTool(refund, paid, call())).toMatchObject({ kind: "unknown_outcome", retryAfterMs: 7000 });
  });

  it("carries what the target said of its failure, and how long to wait", async () => {
    answering(json({ why: "busy" }, 429, { "retry-after": "7" }));
    expect(await callHttpTool(refund, paid, call())).toMatchObject({
      output: { why: "busy" },
      retryable: true,
      retryAfterMs: 7000,
    });
    answering(json({}, 503, { "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" }));
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ retryable: true, retryAfterMs: 30_000 });
    answering(json({}, 404, { "retry-after": "soon" }));
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ retryable: false, retryAfterMs: null });
  });

  it.each([
    ["text/plain; charset=utf-8", "Grüße", "Grüße"],
    ["text/plain; charset=iso-8859-1", Buffer.from("Grüße", "latin1"), "Grüße"],
    ["application/problem+json", '{"a":[1]}', { a: [1] }],
    ["application/json", "no json", "no json"],
    ["application/json", "", null],
    ["image/png", "bytes", { left_out: "an answer of the type image/png, 5 bytes, which is no text" }],
  ])("is data: %s %j", async (type, body, output) => {
    answering((_request, response) => response.writeHead(200, { "content-type": type }).end(body));
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ output });
  });

  it.each([
    ["a\\u0000b", "a\uFFFDb"],
    ["\\ud800", "\uFFFD"],
  ])("holds nothing that cannot be stored: %j", async (text, output) => {
    answering((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(`{"${text}":["${text}",1e999]}`),
    );
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ output: { [output]: [output, null] } });
  });

  it("is text where it nests so deep that values of it could not be read", async () => {
    for (const deep of ["[".repeat(300_000), `${"[".repeat(65)}${"]".repeat(65)}`]) {
      answering((_request, response) => response.writeHead(200, { "content-type": "application/json" }).end(deep));
      expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ output: deep });
    }
    const unended = `"${'\\"'.repeat(400_000)}`;
    answering((_request, response) => response.writeHead(200, { "content-type": "application/json" }).end(unended));
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ output: unended });
    answering(json([`${"[".repeat(100)}"`, [1]]));
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ output: [`${"[".repeat(100)}"`, [1]] });
  });

  it("follows redirects for who reads", async () => {
    answering((request, response) =>
      (request.url === "/end" ? json({ end: 1 }) : json({}, 307, { location: "/end" }))(request, response),
    );
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({ status: 200, output: { end: 1 } });
  });

  it("follows none for who writes, by whatever method", async () => {
    answering(json({}, 307, { location: "/end" }));
    const link: HttpTool = { name: "unsubscribe", effect: "write", request: { method: "GET", url: `${origin}/off` } };
    expect(await callHttpTool(link, {}, call())).toMatchObject({
      kind: "answered",
      status: 307,
      failure: { code: "http_redirect" },
    });
    expect(seen.map(({ line }) => line)).toEqual(["GET /off"]);
  });

  it("is failed for who reads and done for who writes, where it is too large to be read", async () => {
    answering((_request, response) => response.writeHead(201).end(Buffer.alloc(1_048_577)));
    expect(await callHttpTool(look, { id: "o1" }, call())).toMatchObject({
      kind: "answered",
      failure: { code: "response_too_large" },
    });
    expect(await callHttpTool(refund, paid, call())).toMatchObject({
      kind: "answered",
      status: 201,
      failure: null,
      output: { left_out: expect.any(String) },
    });
  });
});

describe("a call without an answer", () => {
  it("was not sent where nobody takes the connection", async () => {
    const gone = await startServer();
    await gone.close();
    const tool: HttpTool = { ...refund, request: { method: "POST", url: `http://127.0.0.1:${gone.port}/` } };
    expect(await callHttpTool(tool, paid, call())).toMatchObject({
      kind: "not_sent",
      retryable: true,
      failure: { code: "connect_failed" },
    });
  });

  it("has an unknown outcome where the connection breaks, or the time is over", async () => {
    answering((request) => request.socket.destroy());
    expect(await callHttpTool(refund, paid, call())).toMatchObject({
      kind: "unknown_outcome",
      status: null,
      failure: { code: "connection_lost" },
    });
    answering(() => undefined);
    expect(await callHttpTool(refund, paid, call({ timeoutMs: 40 }))).toMatchObject({
      kind: "unknown_outcome",
      failure: { code: "timeout" },
    });
  });

  it("is sent once where it writes, whatever its method: only the run may send it again", async () => {
    answering((request) => request.socket.destroy());
    for (const method of ["GET", "POST"] as const) {
      const plain: HttpTool = { name: "unsubscribe", effect: "write", request: { method, url: `${origin}/off` } };
      expect((await callHttpTool(plain, {}, call())).kind).toBe("unknown_outcome");
    }
    expect(seen.map(({ line }) => line)).toEqual(["GET /off", "POST /off"]);
    seen.length = 0;
    await callHttpTool(refund, paid, call());
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["tsk_1/3"]);
  });

  it("stops when its signal is aborted: unknown once it is with the target, not sent before", async () => {
    const stop = new AbortController();
    answering(() => stop.abort());
    expect(await callHttpTool(refund, paid, call({ signal: stop.signal }))).toMatchObject({
      kind: "unknown_outcome",
      failure: { code: "aborted" },
    });
    expect(await callHttpTool(refund, paid, call({ signal: stop.signal }))).toMatchObject({
      kind: "not_sent",
      failure: { code: "aborted" },
    });
    expect(seen).toHaveLength(1);
  });
});

describe("the schema of a tool's arguments", () => {
  it("is the tool's own, as one of an object", async () => {
    expect(await httpToolSchema(look, call())).toEqual({ type: "object", ...look.arguments });
    expect(await httpToolSchema(refund, call())).toBe(refund.arguments);
    expect(
      await httpToolSchema({ name: "ping", effect: "read", request: { method: "GET", url: origin } }, call()),
    ).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });
});
