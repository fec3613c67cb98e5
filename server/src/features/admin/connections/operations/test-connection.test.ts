import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startWireServer, type WireReply, type WireServer } from "../../../../runtime/models/providers/testing.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const secret = "sk-test-0123456789abcdef";
let server: WireServer;
let reply: (path: string) => WireReply | null = () => ({ json: { data: [] } });

beforeAll(async () => {
  server = await startWireServer(({ path }) => reply(path));
});
afterAll(() => server.close());

let made = 0;
/** Adds a connection to the test's server and answers its name. */
async function added(
  kind: string,
  more: object = {},
  environment: "development" | "production" = "development",
): Promise<string> {
  const name = `account-${++made}`;
  const { status } = await app.call("POST", "/v1/admin/connections", {
    environment,
    body: { name, kind, base_url: server.url, secret, ...more },
  });
  expect(status).toBe(201);
  return name;
}
const test = async (name: string, body: object = {}, options = {}) =>
  (await app.call("POST", `/v1/admin/connections/${name}/test`, { body, ...options })).body;
const lastRequest = () => server.requests.at(-1);

describe("a test of a connection", () => {
  it.each([
    ["anthropic", {}, "/v1/models", { "x-api-key": secret, "anthropic-version": "2023-06-01" }],
    ["openai", {}, "/v1/models", { authorization: `Bearer ${secret}` }],
    ["openai-compatible", {}, "/v1/models", { authorization: `Bearer ${secret}` }],
    ["http", {}, "/v1", { authorization: `Bearer ${secret}` }],
    [
      "http",
      { auth: { scheme: "basic" }, secret: "user:pass word" },
      "/v1",
      { authorization: "Basic dXNlcjpwYXNzIHdvcmQ=" },
    ],
    ["http", { auth: { scheme: "header", header: "X-Api-Key" } }, "/v1", { "x-api-key": secret }],
  ])("really calls, with the credentials in their place: %s %j", async (kind, more, path, headers) => {
    reply = () => ({ json: { data: [] } });
    const result = await test(await added(kind, more));
    expect(result).toMatchObject({ ok: true, code: null });
    expect(lastRequest()).toMatchObject({ method: "GET", path, headers });
  });

  it("asks a model for a few words, where one is named, and says what that cost, as far as a price is known", async () => {
    reply = () => ({
      json: {
        id: "1",
        created: 1,
        model: "any",
        choices: [{ index: 0, message: { role: "assistant", content: "yes" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
      },
    });
    const own = await test(await added("openai-compatible"), { model: "llama" });
    expect(own).toMatchObject({
      ok: true,
      detail: "llama answered; that took 10 tokens; no price of it is known, so that only tokens are counted.",
    });
    expect(lastRequest()).toMatchObject({ path: "/v1/chat/completions", body: { model: "llama", max_tokens: 16 } });
    reply = () => ({
      json: {
        type: "message",
        id: "msg_1",
        role: "assistant",
        model: "any",
        content: [{ type: "text", text: "yes" }],
        stop_reason: "end_turn",
        stop_sequence: null,
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    });
    const priced = await test(await added("anthropic"), { model: "claude-haiku-4-5-20251001" });
    expect(priced.detail).toBe("claude-haiku-4-5-20251001 answered; that took 10 tokens; at list price $0.000014.");
  });

  it("names no model of a service that has none", async () => {
    const problem = await test(await added("http"), { model: "llama" });
    expect(problem.errors).toMatchObject([{ pointer: "/model", code: "not_for_kind" }]);
  });

  it.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "models_not_listed"],
    [307, "redirected"],
    [429, "rate_limited"],
    [503, "unavailable"],
  ])("says what %i means, and that is an answer, not an error", async (status, code) => {
    reply = () => ({
      status,
      headers: { location: "https://elsewhere.example.com" },
      json: { error: { message: `wrong key ${secret}` } },
    });
    const result = await test(await added("openai"));
    expect(result).toMatchObject({ ok: false, code });
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  it("says that credentials do not do for a model, in the provider's words", async () => {
    reply = () => ({
      status: 404,
      json: { error: { message: "The model `gpt-0` does not exist", type: "invalid_request_error" } },
    });
    const result = await test(await added("openai"), { model: "gpt-0" });
    expect(result).toMatchObject({
      ok: false,
      code: "model_unknown",
      detail: expect.stringContaining("The model `gpt-0` does not exist"),
    });
  });

  it("reaches nothing that is not public, outside of development", async () => {
    const before = server.requests.length;
    const result = await test(await added("openai", {}, "production"), {}, { environment: "production" });
    expect(result).toMatchObject({ ok: false, code: "https_required" });
    expect(server.requests.length).toBe(before);
  });

  it("is remembered with the connection until that is replaced", async () => {
    reply = () => ({ json: { data: [] } });
    const name = await added("openai");
    const result = await test(name);
    const shown = async () =>
      (await app.call("GET", "/v1/admin/connections")).body.data.find(
        ({ connection }: { connection: string }) => connection === name,
      );
    expect((await shown()).last_test).toEqual(result);
    await app.call("POST", "/v1/admin/connections", { body: { name, kind: "openai", secret, replace: true } });
    expect((await shown()).last_test).toBeNull();
  });

  it("is refused for a moment while several wait for an answer, which hold up nobody else", async () => {
    reply = () => null;
    const names = await Promise.all(Array.from({ length: 3 }, () => added("openai")));
    const waiting = names.map((name) => app.call("POST", `/v1/admin/connections/${name}/test`, { body: {} }));
    const before = server.requests.length;
    while (server.requests.length < before + 3 && server.requests.length < 1000) await new Promise(setImmediate);
    const fourth = await app.call("POST", `/v1/admin/connections/${names[0]}/test`, { body: {} });
    expect([fourth.status, fourth.body.code, fourth.headers.get("retry-after")]).toEqual([503, "overloaded", "5"]);
    const other = await app.call("GET", "/v1/admin/connections");
    const sequenced = () =>
      app.pool.query("select from audit_leaves where record_id = $1", [other.headers.get("audit-ref")]);
    await vi.waitFor(async () => expect((await sequenced()).rowCount).toBe(1), { timeout: 5000, interval: 20 });
    await server.close();
    expect((await Promise.all(waiting)).map(({ status, body }) => [status, body.ok])).toEqual(
      Array(3).fill([200, false]),
    );
  });
});
