import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { useApp } from "../src/testing/app.ts";
import { countRecords } from "./walk.ts";

const app = useApp();

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

interface Sent {
  readonly keyed?: boolean;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** Sends a request as it is written: `fetch` would normalise path and headers. As the development admin by default. */
function raw(method: string, path: string, { keyed = true, headers = {}, body }: Sent = {}): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>();
  const { hostname, port } = new URL(app.url);
  const authorization = keyed ? { authorization: `Bearer ${app.key("admin")}` } : {};
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const sent = httpRequest(
    { hostname, port, method, path, agent: false, headers: { ...authorization, ...length, ...headers } },
    (answer) => {
      text(answer).then((whole) => {
        const json = answer.headers["content-type"]?.includes("json") && whole !== "";
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: json ? JSON.parse(whole) : whole });
      }, reject);
    },
  );
  sent.on("error", reject);
  sent.end(body);
  return promise;
}

/** Writes bytes to the socket and answers all that comes back until it is closed. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

async function expectOneMoreRecord(call: () => Promise<Raw>): Promise<Raw> {
  const before = await countRecords(app);
  const answered = await call();
  expect(answered.headers["x-request-id"]).toMatch(/^req_/);
  expect(await countRecords(app, answered.headers["audit-ref"] as string)).toEqual({ all: before.all + 1, named: 1 });
  return answered;
}

const dispatch = { task: "qualify_lead", lead_id: "ld_1001", require_approval: true };
const post = (
  body: string | Buffer,
  headers: Record<string, string> = {},
  path = "/v1/agents/sales/tasks",
): Promise<Raw> => raw("POST", path, { body, headers: { "content-type": "application/json", ...headers } });

describe("a path that cannot be read", () => {
  const paths = [
    "/v1/tasks/%FF",
    "/v1/tasks/%",
    "/v1/tasks/%zz",
    "/v1/tasks/%C0%80",
    `/v1/tasks/${"x".repeat(301)}`,
    "/v1/tasks/%FF?limit=0",
    "/v1/tasks/%00",
    "/v1/governance/budgets/agent:%00",
    "/v1/tasks/a%0d%0ab",
  ];

  it.each(paths)("is recorded and answered 404 to who has a key: %s", async (path) => {
    const { status, headers, body } = await expectOneMoreRecord(() => raw("GET", path));
    expect([status, headers["content-type"], body.code]).toEqual([404, "application/problem+json", "not_found"]);
    expect(body.instance).toBe(path.split("?")[0]);
  });

  it.each(paths)("is answered 401 to who has none: %s", async (path) => {
    const { status, headers, body } = await raw("GET", path, { keyed: false });
    expect([status, headers["www-authenticate"], body.code]).toEqual([401, "Bearer", "unauthenticated"]);
    // Equal refusals of one second share a record.
    expect((await countRecords(app, headers["audit-ref"] as string)).named).toBe(1);
  });

  it("is answered 404 to a change with a body as well", async () => {
    const { status, body } = await expectOneMoreRecord(() =>
      post(JSON.stringify(dispatch), {}, "/v1/agents/%FF/tasks"),
    );
    expect([status, body.code]).toEqual([404, "not_found"]);
  });
});

describe("a query parameter with a control character in its name", () => {
  it.each([
    ["/v1/tasks?%00=1", "%00"],
    ["/v1/tasks?a%0Ab=1", "a%0Ab"],
    ["/v1/admin/whoami?%1B%5B31m=1", "%1B%5B31m"],
  ])("is refused with its name as it was sent: %s", async (path, name) => {
    const { status, body } = await expectOneMoreRecord(() => raw("GET", path));
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, "invalid_parameter", name]);
    expect(body.detail).toBe(`${name}: has a control character in its name; leave it out`);
  });
});

describe("a body that is not taken", () => {
  it.each([";;;", "application", "application/json garbage", "text/plain", "application/json; charset=iso-8859-1"])(
    "is answered 415 and recorded when its type is `%s`",
    async (type) => {
      const { status, headers, body } = await expectOneMoreRecord(() =>
        post(JSON.stringify(dispatch), { "content-type": type }),
      );
      expect([status, body.code, headers.accept]).toEqual([415, "unsupported_media_type", "application/json"]);
      expect(body.detail).toContain("application/json in UTF-8");
    },
  );

  it("is answered 415 when it is compressed, naming the coding that is taken", async () => {
    const compressed = gzipSync(JSON.stringify(dispatch));
    const { status, headers, body } = await expectOneMoreRecord(() => post(compressed, { "content-encoding": "gzip" }));
    expect([status, body.code, headers["accept-encoding"]]).toEqual([415, "unsupported_media_type", "identity"]);
  });

  it.each([
    { "content-type": "application/json; charset=UTF-8" },
    { "content-type": 'application/json;charset="utf-8"' },
    { "content-encoding": "identity" },
  ])("is not one with %o", async (headers) => {
    expect((await post(JSON.stringify(dispatch), headers)).status).toBe(202);
  });

  it("is answered 413 and recorded when it is over the limit", async () => {
    const { status, body } = await expectOneMoreRecord(() => post(Buffer.alloc(1024 * 1024 + 1, " ")));
    expect([status, body.code]).toEqual([413, "body_too_large"]);
  });

  it("is refused after the key: without one the answer is 401", async () => {
    const answered = await raw("POST", "/v1/agents/sales/tasks", {
      keyed: false,
      body: "{",
      headers: { "content-type": ";;;" },
    });
    expect(answered.status).toBe(401);
  });
});

describe("a body that is JSON but not I-JSON", () => {
  it("is answered 422 with every fault and its place", async () => {
    const { status, body } = await expectOneMoreRecord(() =>
      post(
        '{"task":"qualify_lead","lead_id":"ld_1001","lead_id":"ld_1002","labels":{"a":"\\u0000","b":"\\ud800"},"priority":1e999}',
      ),
    );
    expect([status, body.code]).toEqual([422, "invalid_body"]);
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
      ["/lead_id", "duplicate_name"],
      ["/labels/a", "nul_character"],
      ["/labels/b", "lone_surrogate"],
      ["/priority", "number_out_of_range"],
    ]);
    expect(body.detail).toMatch(/^Line 1, column 44: .* \(and 3 more\)$/);
  });

  it.each(['{"lead_id":1,"lead_id":2,', `${'{"a":'.repeat(33)}1${"}".repeat(33)}`])(
    "is answered 400 when it cannot be read: %s",
    async (text) => {
      const { status, body } = await post(text);
      expect([status, body.code, body.errors.length]).toEqual([400, "malformed_body", 1]);
    },
  );
});

describe("a method that a path does not take", () => {
  it.each(["OPTIONS", "TRACE", "HEAD", "PUT", "PROPFIND", "QUERY"])(
    "is answered 405 with Allow and recorded: %s",
    async (method) => {
      const { status, headers } = await expectOneMoreRecord(() => raw(method, "/v1/agents/sales/pause"));
      expect([status, headers.allow]).toEqual([405, "POST"]);
    },
  );

  it("is answered 405 even with a body that could not be read", async () => {
    const { status, headers } = await expectOneMoreRecord(() =>
      raw("PUT", "/v1/tasks", { body: "{", headers: { "content-type": ";;;" } }),
    );
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  it("is answered 401 without a key, and 404 where the path is unknown", async () => {
    expect((await raw("TRACE", "/v1/tasks", { keyed: false })).status).toBe(401);
    expect((await raw("OPTIONS", "/v1/no-such-thing")).status).toBe(404);
  });

  it("is answered in words of HTTP when no parser knows it", async () => {
    const answer = await exchange("NONSENSE /v1/tasks HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
    expect(body).toMatchObject({ status: 400, code: "malformed_request", detail: expect.stringContaining("method") });
    expect(body.title).not.toContain("JSON");
    expect((await app.call("GET", "/docs/problems/malformed_request", { key: null })).status).toBe(200);
  });
});

describe("a browser of another origin", () => {
  const asking = { origin: "https://console.example", "access-control-request-method": "GET" };

  it("is told by a preflight, without a key and without a record, what it may send", async () => {
    const before = await countRecords(app);
    const { status, headers, body } = await raw("OPTIONS", "/v1/tasks", { keyed: false, headers: asking });
    expect([status, body]).toEqual([204, ""]);
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD",
      "access-control-allow-headers":
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer",
      "access-control-max-age": "86400",
    });
    expect(await countRecords(app)).toEqual({ ...before, named: 0 });
  });

  it("may read the headers of every answer", async () => {
    for (const path of ["/v1/tasks", "/v1/no-such-thing"]) {
      const { headers } = await raw("GET", path, { headers: { origin: asking.origin } });
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(headers["access-control-expose-headers"]).toBe(
        "X-Request-Id, Audit-Ref, Location, ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Preference-Applied",
      );
    }
  });
});

describe("an Idempotency-Key", () => {
  it("is bound to what a path means, however it is percent-encoded", async () => {
    const key = { "idempotency-key": "one-task" };
    const first = await post(JSON.stringify(dispatch), key);
    const again = await post(JSON.stringify(dispatch), key, "/v1/%61gents/%73ales/tasks");
    expect([first.status, again.status, again.body.task_id]).toEqual([202, 202, first.body.task_id]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });
});

describe("a path that names what is not there", () => {
  it.each([
    ["/v1/tasks/tsk_nobody", "There is no task tsk_nobody in development."],
    ["/v1/agents/nobody/versions/7", "There is no agent nobody with version 7 in development."],
    ["/v1/audit/events/aud_none", "There is no audit ref aud_none in development."],
    [`/v1/tasks/${"x".repeat(200)}`, `There is no task ${"x".repeat(100)}… in development.`],
    ["/v1/nowhere", "There is no such thing in development."],
  ])("is answered by what was asked for: %.60s", async (path, detail) => {
    expect((await raw("GET", path)).body).toMatchObject({ status: 404, code: "not_found", detail });
  });
});
