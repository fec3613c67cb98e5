import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { OutboundError } from "./index.ts";
import { bodyOf, json, startServer, useOutbound } from "./server.fixture.ts";

const server = await startServer();
const outbound = useOutbound({ environment: "development" });
const url = `http://127.0.0.1:${server.port}/`;

beforeEach(() => {
  server.connections = 0;
  server.asked.length = 0;
  server.answer = json({ here: true });
});

const failureOf = async (work: Promise<unknown>): Promise<OutboundError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
};

/** A server below HTTP: what it does with each connection, and with the first bytes on it. */
async function startRaw(onData: (socket: Socket, connection: number) => void): Promise<string> {
  let connections = 0;
  const open = new Set<Socket>();
  const raw = createServer((socket) => {
    const connection = ++connections;
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    socket.on("data", () => onData(socket, connection));
  });
  await new Promise<void>((done) => raw.listen(0, "127.0.0.1", done));
  afterAll(() => {
    for (const socket of open) socket.destroy();
    raw.close();
  });
  return `http://127.0.0.1:${(raw.address() as { port: number }).port}/`;
}

describe("whether something was sent", () => {
  it("is no where nobody takes the connection", async () => {
    const gone = await startServer();
    await gone.close();
    const { code, sent } = await failureOf(
      outbound.send({ url: `http://127.0.0.1:${gone.port}/`, method: "POST", body: "{}" }),
    );
    expect({ code, sent }).toEqual({ code: "connect_failed", sent: false });
  });

  it("is yes where the connection breaks before an answer", async () => {
    const raw = await startRaw((socket) => socket.destroy());
    const { code, sent, status } = await failureOf(outbound.send({ url: raw, method: "POST", body: "{}" }));
    expect({ code, sent, status }).toEqual({ code: "connection_lost", sent: true, status: null });
  });

  it("is yes, with the status, where it breaks amid the answer", async () => {
    const raw = await startRaw((socket) => socket.end("HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nhalf"));
    const { code, sent, status } = await failureOf(outbound.send({ url: raw, method: "POST", body: "{}" }));
    expect({ code, sent, status }).toEqual({ code: "connection_lost", sent: true, status: 201 });
  });

  it("is no where the signal was aborted before, or while the name is looked up", async () => {
    const slow = useOutbound({ environment: "production", resolve: () => new Promise(() => undefined) });
    const stop = new AbortController();
    const waiting = failureOf(slow.send({ url: "https://slow.test/", signal: stop.signal }));
    stop.abort(new Error("stopped"));
    for (const failure of [await waiting, await failureOf(outbound.send({ url, signal: AbortSignal.abort() }))]) {
      expect({ code: failure.code, sent: failure.sent }).toEqual({ code: "aborted", sent: false });
    }
    expect(server.connections).toBe(0);
  });

  it("is yes where it is aborted while the target works", async () => {
    const stop = new AbortController();
    server.answer = () => stop.abort();
    const { code, sent } = await failureOf(outbound.send({ url, method: "POST", body: "{}", signal: stop.signal }));
    expect({ code, sent }).toEqual({ code: "aborted", sent: true });
  });
});

describe("bounds", () => {
  it("end a wait for an answer, and one for its end", async () => {
    server.answer = () => undefined;
    const first = await failureOf(outbound.send({ url, timeoutMs: 40 }));
    server.answer = (_request, response) => response.writeHead(200).write("some");
    const second = await failureOf(outbound.send({ url, timeoutMs: 40 }));
    expect([first.code, first.status, second.code, second.status]).toEqual(["timeout", null, "timeout", 200]);
  });

  it("end an answer that is too large, however it is packed", async () => {
    const large = Buffer.alloc(5_000_000, "a");
    server.answer = (_request, response) => response.writeHead(200).end(large);
    const plain = await failureOf(outbound.send({ url, maxResponseBytes: 1000 }));
    server.answer = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(large));
    const packed = await failureOf(outbound.send({ url, maxResponseBytes: 1000 }));
    for (const { code, status } of [plain, packed])
      expect({ code, status }).toEqual({ code: "response_too_large", status: 200 });
  });

  it("let an answer of just their size pass", async () => {
    server.answer = (_request, response) => response.writeHead(200).end("x".repeat(1000));
    expect((await outbound.send({ url, maxResponseBytes: 1000 })).body).toHaveLength(1000);
  });

  it("hold for the headers of an answer", async () => {
    const raw = await startRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`));
    expect((await failureOf(outbound.send({ url: raw, method: "POST" }))).code).toBe("response_too_large");
  });
});

describe("answers", () => {
  it("are unpacked where they come packed", async () => {
    server.answer = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("plain"));
    expect(Buffer.from((await outbound.send({ url })).body).toString()).toBe("plain");
    expect(await (await outbound.fetch(url)).text()).toBe("plain");
  });

  it.each([
    ["packed in an unknown way", "HTTP/1.1 200 OK\r\ncontent-encoding: secret\r\ncontent-length: 1\r\n\r\nx"],
    ["no HTTP", "SSH-2.0-server\r\n"],
    ["broken in their packing", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd"],
  ])("that are %s are told", async (_what, bytes) => {
    const raw = await startRaw((socket) => socket.write(bytes));
    expect((await failureOf(outbound.send({ url: raw, method: "POST" }))).code).toBe("response_invalid");
  });
});

describe("connections", () => {
  it("are kept for reading requests, and one each for others", async () => {
    for (const method of ["GET", "GET", "POST", "POST"]) await outbound.send({ url: `${url}?${method}`, method });
    expect(server.connections).toBeLessThanOrEqual(3);
    server.connections = 0;
    for (let count = 0; count < 2; count += 1) await outbound.send({ url, method: "POST", body: "{}" });
    expect(server.connections).toBe(2);
  });

  it("that were closing just then cost a reading request nothing", async () => {
    const raw = await startRaw((socket, connection) => {
      if (connection === 1) socket.destroy();
      else socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    expect((await outbound.send({ url: raw })).status).toBe(200);
  });
});

describe("a GET whose target does not know repetitions", () => {
  it("is sent once, on a connection of its own", async () => {
    let asked = 0;
    const raw = await startRaw((socket) => {
      asked += 1;
      socket.destroy();
    });
    expect(await failureOf(outbound.send({ url: raw, repeatable: false }))).toMatchObject({
      code: "connection_lost",
      sent: true,
    });
    expect(asked).toBe(1);
  });
});

describe("fetch", () => {
  it("sends what the platform's fetch takes", async () => {
    const seen: unknown[] = [];
    server.answer = async (request, response) => {
      seen.push([request.method, request.headers["content-type"], await bodyOf(request)]);
      json({ ok: 1 })(request, response);
    };
    const form = new URLSearchParams({ a: "ü" });
    const answer = await outbound.fetch(url, { method: "POST", body: form });
    expect([answer.status, answer.ok, answer.headers.get("content-type"), await answer.json()]).toEqual([
      200,
      true,
      "application/json",
      { ok: 1 },
    ]);
    await (
      await outbound.fetch(new Request(url, { method: "PUT", body: "text", headers: { "content-type": "text/x" } }))
    ).text();
    expect(seen).toEqual([
      ["POST", "application/x-www-form-urlencoded;charset=UTF-8", "a=%C3%BC"],
      ["PUT", "text/x", "text"],
    ]);
  });

  it("streams: each piece is there when it is sent", async () => {
    const pieces = ["data: 1\n\n", "data: 2\n\n"];
    let write = (): void => undefined;
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      write = () => (pieces.length > 0 ? response.write(pieces.shift()) : response.end());
      write();
    };
    const reader = (await outbound.fetch(url)).body!.getReader();
    const read: string[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      read.push(Buffer.from(next.value as Uint8Array).toString());
      write();
    }
    expect(read).toEqual(["data: 1\n\n", "data: 2\n\n"]);
  });

  it("is guarded like everything, and follows no redirect", async () => {
    expect((await failureOf(outbound.fetch("http://1.1.1.1/"))).code).toBe("https_required");
    expect((await failureOf(outbound.fetch("https://[::ffff:127.0.0.1]/"))).code).toBe("address_refused");
    expect((await failureOf(outbound.fetch("http://user:word@127.0.0.1/"))).code).toBe("address_invalid");
    expect((await failureOf(outbound.fetch(url, { headers: { host: "other.test" } }))).code).toBe("request_invalid");
    server.answer = json({}, 302, { location: "https://10.0.0.1/" });
    expect((await outbound.fetch(url, { redirect: "follow" })).status).toBe(302);
  });

  it("gives answers without a body as such", async () => {
    server.answer = (_request, response) => response.writeHead(204).end();
    const answer = await outbound.fetch(url);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect((await outbound.fetch(url, { method: "HEAD" })).status).toBe(204);
  });

  it("throws the signal's reason, before an answer and amid it, and lets the target know", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const closed = Promise.withResolvers<void>();
    server.answer = (_request, response) => {
      response.on("close", closed.resolve);
      response.writeHead(200).write("some");
    };
    const { body } = await outbound.fetch(url, { signal: stop.signal });
    const reader = body!.getReader();
    await reader.read();
    stop.abort(reason);
    await expect(reader.read()).rejects.toBe(reason);
    await closed.promise;
    await expect(outbound.fetch(url, { signal: stop.signal })).rejects.toBe(reason);
  });

  it("tells a connection that is lost amid the answer", async () => {
    const raw = await startRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
    const answer = await outbound.fetch(raw);
    expect((await failureOf(answer.text())).code).toBe("connection_lost");
  });
});
