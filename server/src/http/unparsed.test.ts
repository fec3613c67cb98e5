import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { compileSchema } from "@aos/json-schema";
import { describe, expect, it } from "vitest";
import { UnreadProblem } from "../openapi/schemas.ts";
import { useApp } from "../testing/app.ts";
import { useSharedApp } from "../testing/shared-app.ts";

const app = useSharedApp();
const hasty = useApp({ requestPatience: 50 });

/** What comes back on a connection until the service closes it. */
async function exchange(sent: string | Buffer, to = app): Promise<{ head: string; body: Record<string, unknown> }> {
  const { hostname, port } = new URL(to.url);
  const socket = connect(Number(port), hostname);
  socket.write(sent);
  const answer = await text(socket);
  const end = answer.indexOf("\r\n\r\n");
  return { head: answer.slice(0, end), body: JSON.parse(answer.slice(end)) as Record<string, unknown> };
}

const line = (method = "GET") => `${method} /v1/tasks HTTP/1.1\r\n`;
const chunked = `${line("POST")}Host: a\r\nTransfer-Encoding: chunked\r\n\r\n`;

describe("what is refused before there is a call", () => {
  it.each([
    ["a line that is no HTTP", "hello\r\n\r\n", 400, "malformed_request"],
    ["a header without a name", `${line()}Host: a\r\n: b\r\n\r\n`, 400, "malformed_request"],
    ["no Host", `${line()}\r\n`, 400, "malformed_request"],
    ["two Hosts", `${line()}Host: a\r\nhost: b\r\n\r\n`, 400, "malformed_request"],
    ["a length that is no number", `${line("POST")}Host: a\r\nContent-Length: x\r\n\r\n`, 400, "malformed_request"],
    [
      "two lengths",
      `${line("POST")}Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
      "malformed_request",
    ],
    ["headers over the limit", `${line()}Host: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`, 431, "headers_too_large"],
    [
      "an address over the limit",
      `GET /v1/tasks?a=${"x".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      414,
      "uri_too_long",
    ],
    ["an unknown expectation", `${line()}Host: a\r\nExpect: 200-ok\r\n\r\n`, 417, "expectation_failed"],
  ])("is told as a problem with an id: %s", async (_what, sent, status, code) => {
    const { head, body } = await exchange(sent);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/\r\ncontent-type: application\/problem\+json/i);
    expect(head).toMatch(/\r\ncontent-length: \d+\r\n/i);
    expect(head).toMatch(new RegExp(`\r\nx-request-id: ${String(body.request_id)}\r\n`, "i"));
    expect(body).toMatchObject({
      type: `http://127.0.0.1:4000/docs/problems/${code}`,
      status,
      code,
      detail: expect.stringMatching(/\.$/),
    });
    expect((await app.call("GET", `/docs/problems/${code}`, { key: null })).status).toBe(200);
  });

  it("has the form that the description of every operation says, readable by pages of any origin", async () => {
    const long = "x".repeat(17_000);
    const line = "GET /v1/tasks?limit=1 HTTP/1.1\r\nHost: a\r\n";
    const headers = await exchange(`${line}X: ${long}\r\n\r\n`);
    const address = await exchange(`GET /v1/tasks?a=${long} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const isUnread = compileSchema(UnreadProblem);
    for (const { head, body } of [headers, address]) {
      expect(isUnread(body)).toEqual([]);
      expect(head).toMatch(/\r\naccess-control-allow-origin: \*\r\n/i);
    }
    expect([headers.body.instance, address.body.instance]).toEqual(["/v1/tasks", undefined]);
    const { body: document } = await app.call("GET", "/openapi.json", { key: null });
    for (const methods of Object.values(document.paths as Record<string, Record<string, { responses: object }>>))
      for (const { responses } of Object.values(methods))
        expect(responses).toMatchObject({
          414: { $ref: "#/components/responses/UriTooLongResponse" },
          431: { $ref: "#/components/responses/HeadersTooLargeResponse" },
        });
  });

  it.each([
    ["in its line", "GET /v1/ta"],
    ["in its headers", `${line()}Host: a\r\nX-`],
    ["in its body", `${line("POST")}Host: a\r\nContent-Length: 10\r\n\r\n{`],
    ["between chunks", `${chunked}1\r\n{\r\n`],
  ])("is told 408 where a request stalls %s", async (_where, sent) => {
    const { head, body } = await exchange(sent, hasty);
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(body).toMatchObject({
      status: 408,
      code: "request_timeout",
      retryable: true,
      request_id: expect.stringMatching(/^req_/),
    });
  });
});

it("answers a whole request by its own answer, whatever follows it on the connection", async () => {
  const longer = `${line("POST")}Host: a\r\nContent-Length: 2\r\n\r\n{} and more`;
  for (const sent of [`${line()}Host: a\r\n\r\nhello\r\n\r\n`, longer]) {
    const { head, body } = await exchange(sent);
    expect([head.slice(0, 12), body.status]).not.toContain(400);
    expect(head).toMatch(/^HTTP\/1\.1 40[15] /);
    expect(head).toMatch(/\r\nconnection: close/i);
  }
});

it("takes HTTP/1.0 without a Host, and a body that waits to be asked for", async () => {
  const { head, body } = await exchange("GET /v1/tasks HTTP/1.0\r\n\r\n");
  expect([head.slice(0, 12), body.code]).toEqual(["HTTP/1.1 401", "unauthenticated"]);
  const asked = `${line("POST")}Host: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n{}`;
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.write(asked);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 \d{3} /);
});
