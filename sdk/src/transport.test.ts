import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type ClientOptions,
  Conflict,
  ConnectionError,
  createClient,
  Forbidden,
  RateLimited,
  ServerError,
  TimeoutError,
} from "./index.ts";
import { breakInTheMiddle, breakOff, json, loopback, problem, silence } from "./loopback.fixture.ts";

const task = { task_id: "tsk_1", status: "queued" };
const clientOf = (baseUrl: string, more: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, key: "aos_dev_test", ...more, retry: { firstPauseMs: 1, ...more.retry } });
const read = (url: string, more?: Partial<ClientOptions>) => clientOf(url, more).tasks.readTask({ task: "tsk_1" });

describe("a call that fails for a passing reason", () => {
  it.each([
    ["a connection that breaks", breakOff],
    ["an answer that breaks off in the middle", breakInTheMiddle],
    ["429", problem(429, "rate_limited", { retryable: true })],
    ["502 of a proxy", json("<h1>Bad gateway</h1>", 502, { "content-type": "text/html" })],
    ["503", problem(503, "overloaded", { retryable: true })],
    ["504", problem(504, "upstream_timeout")],
    ["500 that says so", problem(500, "internal_error", { retryable: true })],
    ["409 that says so", problem(409, "idempotency_key_in_use", { retryable: true })],
    ["403 that says when", problem(403, "budget_exhausted", { retryable: true }, { "retry-after": "0" })],
  ])("is sent again: %s", async (_name, failure) => {
    const { url, received } = await loopback(failure, failure, json(task));
    expect(await read(url)).toEqual(task);
    expect(received).toHaveLength(3);
  });

  it.each([
    ["409", problem(409, "wrong_state"), Conflict],
    ["403 without an end", problem(403, "budget_exhausted", { retryable: true }), Forbidden],
    ["500 that does not say so", problem(500, "internal_error"), ServerError],
  ])("is what it is, where trying again would not help: %s", async (_name, failure, Kind) => {
    const { url, received } = await loopback(failure, json(task));
    await expect(read(url)).rejects.toBeInstanceOf(Kind);
    expect(received).toHaveLength(1);
  });

  it("keeps its idempotency key over its attempts, and another call has another", async () => {
    const { url, received } = await loopback(breakOff, problem(503, "overloaded"), json(task));
    const client = clientOf(url);
    await client.tasks.cancelTask({ task: "tsk_1", reason: "by mistake" });
    await client.tasks.cancelTask({ task: "tsk_1" });
    const keys = received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
    expect(received.slice(0, 3).map(({ body }) => body)).toEqual(Array(3).fill('{"reason":"by mistake"}'));
    expect(received[3]?.body).toBe("");
  });

  it("keeps the key that its caller gave, also in calls by path", async () => {
    const { url, received } = await loopback(breakOff, json(task), breakOff, json(task));
    const client = clientOf(url);
    await client.tasks.cancelTask({ task: "tsk_1" }, { idempotencyKey: "order-17" });
    const { data } = await client.POST("/v1/tasks/{task}/cancel", { params: { path: { task: "tsk_1" } } });
    const [first, second, third, fourth] = received.map(({ headers }) => headers["idempotency-key"]);
    expect([first, second, data]).toEqual(["order-17", "order-17", task]);
    expect([typeof third, fourth]).toEqual(["string", third]);
  });

  it("waits as long as Retry-After says", async () => {
    const { url } = await loopback(problem(429, "rate_limited", {}, { "retry-after": "1" }), json(task));
    const began = performance.now();
    await read(url);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  it("is not awaited longer than the longest pause: the error says how long", async () => {
    const { url, received } = await loopback(
      problem(429, "rate_limited", { retryable: true }, { "retry-after": "3600" }),
    );
    const error = await read(url).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(RateLimited);
    expect(error).toMatchObject({ code: "rate_limited", retryAfter: 3600, retryable: true });
    expect(received).toHaveLength(1);
  });

  it("is given up after the attempts that were asked for, and says why", async () => {
    const { url, received } = await loopback(breakOff);
    const error = await read(url, { retry: { retries: 2 } }).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toMatch(/^GET \/v1\/tasks\/tsk_1 got no answer from http:\/\/127\.0\.0\.1:\d+: /);
    expect((error as Error).cause).toBeInstanceOf(TypeError);
    expect(received).toHaveLength(3);
    await expect(clientOf(url).tasks.readTask({ task: "tsk_1" }, { retries: 0 })).rejects.toBeInstanceOf(
      ConnectionError,
    );
    expect(received).toHaveLength(4);
  });

  it("asks for its headers again before each attempt, and is told for what", async () => {
    const { url, received } = await loopback(breakOff, json(task));
    const headers = vi.fn(async () => ({ "x-csrf-token": `token ${headers.mock.calls.length}` }));
    const key = vi.fn(() => `key_${key.mock.calls.length}`);
    await createClient({ baseUrl: url, key, headers, retry: { firstPauseMs: 1 } }).tasks.cancelTask({ task: "tsk_1" });
    expect(received.map((one) => [one.headers["x-csrf-token"], one.headers.authorization])).toEqual([
      ["token 1", "Bearer key_1"],
      ["token 2", "Bearer key_2"],
    ]);
    expect(headers).toHaveBeenCalledWith({ method: "POST", path: "/v1/tasks/tsk_1/cancel" });
  });
});

describe("a call that is not answered", () => {
  it("fails with what the function of its headers throws, and leaves no timer behind", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const headers = () => Promise.reject(new RangeError("no token"));
    await expect(read("http://127.0.0.1:9", { headers })).rejects.toThrow(new RangeError("no token"));
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends after its time, and is sent again", async () => {
    const { url, received } = await loopback(silence, json(task));
    expect(await read(url, { timeoutMs: 200 })).toEqual(task);
    expect(received).toHaveLength(2);
  });

  it("is a TimeoutError where no attempt is left", async () => {
    const { url } = await loopback(silence);
    const error = await clientOf(url)
      .tasks.readTask({ task: "tsk_1" }, { timeoutMs: 50, retries: 1 })
      .catch((late: unknown) => late);
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe("GET /v1/tasks/tsk_1 was not answered within 0.05 seconds");
  });

  it("has the time besides that it asks the service to wait", async () => {
    const { url, received } = await loopback(
      (response, request) => void setTimeout(() => json(task)(response, request), 400),
    );
    expect(await clientOf(url, { timeoutMs: 200 }).tasks.readTask({ task: "tsk_1" }, { wait: 5, retries: 0 })).toEqual(
      task,
    );
    expect(received[0]?.headers.prefer).toBe("wait=5");
    expect(
      await clientOf(url, { timeoutMs: 200 }).tasks.readTaskResult({ task: "tsk_1", wait: 5 }, { retries: 0 }),
    ).toEqual(task);
    await expect(
      clientOf(url, { timeoutMs: 200 }).tasks.readTask({ task: "tsk_1" }, { retries: 0 }),
    ).rejects.toBeInstanceOf(TimeoutError);
  });

  it("ends with the reason of its signal, at once and for good", async () => {
    const { url, received } = await loopback(silence);
    const left = new AbortController();
    const reason = new Error("the user left");
    const call = clientOf(url).tasks.readTask({ task: "tsk_1" }, { signal: left.signal });
    await vi.waitFor(() => expect(received).toHaveLength(1));
    left.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect(clientOf(url).tasks.readTask({ task: "tsk_1" }, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(received).toHaveLength(1);
  });

  it("ends with the reason of its signal while it waits between attempts", async () => {
    const { url, received } = await loopback(problem(429, "rate_limited", {}, { "retry-after": "30" }));
    const left = new AbortController();
    const call = clientOf(url).tasks.readTask({ task: "tsk_1" }, { signal: left.signal });
    await vi.waitFor(() => expect(received).toHaveLength(1));
    left.abort(new Error("the user left"));
    await expect(call).rejects.toThrow("the user left");
  });
});

describe("what answers", () => {
  it("may be no service of ours: the error says so", async () => {
    const page = json("<h1>Welcome</h1>", 200, { "content-type": "text/html" });
    await expect(read((await loopback(page)).url)).rejects.toThrow(
      /text\/html, which is none of the service's: check the address/,
    );
    const broken = json("<h1>It   broke</h1>", 500, { "content-type": "text/html" });
    await expect(read((await loopback(broken)).url)).rejects.toMatchObject({
      name: "ServerError",
      code: "unknown",
      detail: expect.stringContaining("<h1>It broke</h1>"),
    });
  });

  it("is not followed where it leads elsewhere", async () => {
    const elsewhere = await loopback(json(task));
    const { url } = await loopback((response) => response.writeHead(307, { location: elsewhere.url }).end());
    await expect(clientOf(url).tasks.cancelTask({ task: "tsk_1", reason: "a secret" })).rejects.toMatchObject({
      status: 307,
      code: "unknown",
      detail: expect.stringContaining(`it leads elsewhere, to ${elsewhere.url}`),
    });
    expect(elsewhere.received).toEqual([]);
  });

  it("gets a cookie only where there is no key", async () => {
    const { url } = await loopback(json(task));
    const seen: RequestCredentials[] = [];
    const spy = (request: Request) => {
      seen.push(request.credentials);
      return fetch(request);
    };
    await createClient({ baseUrl: url, key: "aos_dev_test", fetch: spy as typeof fetch }).tasks.readTask({
      task: "tsk_1",
    });
    await createClient({ baseUrl: url, fetch: spy as typeof fetch }).tasks.readTask({ task: "tsk_1" });
    expect(seen).toEqual(["omit", "same-origin"]);
  });
});
