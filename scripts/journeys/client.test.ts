import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { createCall } from "./client.ts";

interface Heard {
  readonly method: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}
type Reply = { status: number; headers?: Record<string, string>; body?: unknown };

let server: http.Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** A server that gives these answers one after the other; what it heard, and a client of it. */
async function serve(...replies: Reply[]) {
  const heard: Heard[] = [];
  server = http.createServer(async (request, response) => {
    heard.push({ method: request.method, headers: request.headers, body: await text(request) });
    const { status, headers, body } = replies.shift() as Reply;
    response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  let keys = 0;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { heard, call: createCall(url, "secret", () => `key-${++keys}`) };
}

describe("calling the service", () => {
  it("sends JSON with the key, and an Idempotency-Key with what changes something", async () => {
    const { heard, call } = await serve({ status: 200 }, { status: 201, body: { a: 1 } });
    await call("GET", "/v1/agents");
    expect((await call("POST", "/v1/agents", { body: { agent: "a" } })).body).toEqual({ a: 1 });
    expect(heard[0]?.headers).not.toHaveProperty("idempotency-key");
    expect(heard[1]).toMatchObject({
      body: '{"agent":"a"}',
      headers: { authorization: "Bearer secret", "content-type": "application/json", "idempotency-key": "key-1" },
    });
  });

  it("sends a text as it is, of the type that is named", async () => {
    const { heard, call } = await serve({ status: 200 });
    await call("POST", "/v1/agents", { body: "agent: a\n", type: "application/yaml" });
    expect(heard[0]).toMatchObject({ body: "agent: a\n", headers: { "content-type": "application/yaml" } });
  });

  it("tries again with the same Idempotency-Key where the service says later", async () => {
    const later = { status: 429, headers: { "retry-after": "0" } };
    const { heard, call } = await serve(later, { ...later, status: 503 }, { status: 202 });
    expect((await call("POST", "/v1/agents/a/tasks", { body: {} })).status).toBe(202);
    expect(heard.map(({ headers }) => headers["idempotency-key"])).toEqual(["key-1", "key-1", "key-1"]);
  });

  it("fails with the problem's words and places", async () => {
    const problem = {
      code: "invalid_body",
      detail: "The body is invalid.",
      errors: [{ pointer: "/a", detail: "is missing" }],
    };
    const { call } = await serve({ status: 422, body: problem });
    await expect(call("PUT", "/v1/x", { body: {} })).rejects.toThrow(
      "PUT /v1/x answered 422 invalid_body: The body is invalid.; /a is missing",
    );
  });
});
