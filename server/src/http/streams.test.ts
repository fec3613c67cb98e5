import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { Type } from "typebox";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { StreamContext } from "../kernel/context.ts";
import { refuse } from "../kernel/errors.ts";
import { openToAll } from "../kernel/narrowing.ts";
import { defineOperation, defineRead, exempt, type Operation } from "../kernel/operation.ts";
import { conflict, malformedBody } from "../kernel/problems.ts";
import { createPipeline } from "../pipeline/run.ts";
import { createTestMachine, type TestMachine } from "../pipeline/testing.ts";
import { createServer } from "./server.ts";

type Pieces = (ctx: StreamContext) => AsyncIterable<string | Uint8Array>;

const base = {
  ...({
    summary: "Test",
    permission: "tasks:read",
    params: Type.Object({}),
    query: Type.Object({}),
  } as const),
  ...({
    load: exempt("names nothing"),
    narrowing: openToAll("names nothing"),
    gate: exempt("reads"),
    compliance: exempt("reads"),
  } as const),
  audit: () => ({ object: null }),
};
const Output = Type.Object({ n: Type.Integer() });

/** A thing that can be read as JSON, as YAML, and followed. */
const readable = (pieces: Pieces) =>
  defineRead({
    ...{
      ...base,
      id: "tests.read",
      method: "GET",
      path: "/v1/things",
      status: 200,
      output: Output,
      example: { output: { n: 7 } },
    },
    revision: ({ n }) => n,
    writes: { "application/yaml": { etag: "yaml", write: ({ n }) => `n: ${n}\n` } },
    streams: { "text/event-stream": (ctx) => pieces(ctx) },
    handle: () => ({ n: 7 }),
  });

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function serve(
  operations: readonly Operation[],
  test: TestMachine = createTestMachine(),
  readerPatience = 60_000,
  requestPatience = 30_000,
) {
  const { machine } = test;
  const reported: unknown[] = [];
  const pipeline = createPipeline(machine, operations);
  const report = (error: unknown): void => void reported.push(error);
  const server = createServer({
    operations,
    signIn: null,
    portal: null,
    pipeline,
    newId: machine.newId,
    appUrl: machine.appUrl,
    trustProxy: [],
    report,
    readerPatience,
    requestPatience,
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  open.push(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  const send = (
    headers: Record<string, string> = {},
    method = "GET",
    path = "/v1/things",
    body?: string,
  ): Promise<IncomingMessage> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = httpRequest(
      {
        port,
        host: "127.0.0.1",
        method,
        path,
        agent: false,
        headers: { authorization: `Bearer ${test.secret}`, ...headers },
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body);
    return promise;
  };
  return { test, send, reported, server };
}

const events = { accept: "text/event-stream" };

async function* endless(ctx: StreamContext, ended: () => void): AsyncGenerator<string> {
  try {
    for (let n = 1; ; n++) {
      yield `id: ${n}\n\n`;
      await new Promise<void>((resolve) => {
        if (ctx.signal.aborted) resolve();
        ctx.signal.addEventListener("abort", () => resolve());
      });
      if (ctx.signal.aborted) return;
    }
  } finally {
    ended();
  }
}

describe("a representation other than JSON", () => {
  const read = readable(async function* () {});

  it("goes with its own type and ETag, and says that Accept chose it", async () => {
    const { send } = await serve([read]);
    const yaml = await send({ accept: "application/yaml" });
    expect([yaml.headers["content-type"], yaml.headers.etag, yaml.headers.vary, await text(yaml)]).toEqual([
      "application/yaml",
      '"7-yaml"',
      "Accept",
      "n: 7\n",
    ]);
    const json = await send();
    expect([json.headers["content-type"], json.headers.etag, json.headers.vary, await text(json)]).toEqual([
      "application/json",
      '"7-json"',
      "Accept",
      '{"n":7}',
    ]);
  });

  it("is not sent again to who holds its tag, while the tag of another representation does not count", async () => {
    const { send } = await serve([read]);
    const statuses = ['"7-yaml"', '"7-json"'].map(
      async (tag) => (await send({ accept: "application/yaml", "if-none-match": tag })).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([304, 200]);
  });

  it("that nobody has is 406, recorded, before policies or handler are asked", async () => {
    const { send, test } = await serve([read]);
    const refused = await send({ accept: "text/html" });
    expect([refused.statusCode, JSON.parse(await text(refused)).acceptable]).toEqual([
      406,
      ["application/json", "application/yaml", "text/event-stream"],
    ]);
    expect(test.drafts.map(({ code, stages }) => [code, stages[2]?.verdict])).toEqual([
      ["not_acceptable", "not_reached"],
    ]);
  });
});

describe("a stream", () => {
  it("begins after its record is durable, which has no digest of it", async () => {
    const test = createTestMachine();
    const order: string[] = [];
    const append = test.append;
    test.append = async (rows) => {
      await new Promise(setImmediate);
      order.push("recorded");
      return append(rows);
    };
    const { send } = await serve(
      [
        readable(async function* ({ lastEventId }) {
          order.push("asked for the first piece");
          yield `after ${lastEventId}\n`;
          yield Buffer.from("bytes\n");
        }),
      ],
      test,
    );
    const answer = await send({ ...events, "last-event-id": "41" });
    expect(await text(answer)).toBe("after 41\nbytes\n");
    expect(order).toEqual(["recorded", "asked for the first piece"]);
    expect(test.drafts).toMatchObject([{ status: 200, responseDigest: null, code: null }]);
    const {
      "content-type": type,
      "cache-control": cache,
      "x-accel-buffering": buffering,
      "audit-ref": ref,
    } = answer.headers;
    expect([type, cache, buffering, ref]).toEqual([
      "text/event-stream; charset=utf-8",
      "no-cache",
      "no",
      test.drafts[0]?.id,
    ]);
  });

  it("whose record cannot be written is not begun", async () => {
    const test = createTestMachine();
    test.append = () => Promise.reject(new Error("the connection broke"));
    const begun = vi.fn();
    const { send } = await serve(
      [
        readable(async function* () {
          begun();
          yield "";
        }),
      ],
      test,
    );
    expect([(await send(events)).statusCode, begun.mock.calls.length]).toEqual([503, 0]);
  });

  it("that its function refuses is a refusal like any other", async () => {
    const { send, test } = await serve([
      readable(() => {
        throw refuse(conflict, "It is not ready.");
      }),
    ]);
    const refused = await send(events);
    expect([refused.statusCode, refused.headers["content-type"], test.drafts[0]?.code]).toEqual([
      409,
      "application/problem+json",
      "wrong_state",
    ]);
  });

  it("ends when its caller leaves", async () => {
    const ended = Promise.withResolvers<void>();
    const { send, reported } = await serve([readable((ctx) => endless(ctx, ended.resolve))]);
    const answer = await send(events);
    answer.once("data", () => answer.destroy());
    answer.on("error", () => undefined);
    await ended.promise;
    expect(reported).toEqual([]);
  });

  it("goes no faster than its caller reads", async () => {
    const produced = vi.fn();
    const ended = Promise.withResolvers<void>();
    const { send } = await serve([
      readable(async function* () {
        try {
          for (;;) {
            produced();
            yield Buffer.alloc(1024 * 1024);
            await new Promise(setImmediate);
          }
        } finally {
          ended.resolve();
        }
      }),
    ]);
    const answer = await send(events);
    answer.pause();
    let before = -1;
    await vi.waitFor(
      () => {
        const [last, now] = [before, produced.mock.calls.length];
        before = now;
        expect(now).toBe(last); // it stands still
      },
      { timeout: 10_000, interval: 200 },
    );
    expect(before).toBeLessThan(100);
    answer.on("error", () => undefined);
    answer.destroy();
    await ended.promise;
  });

  it("is broken off, and its source told, where its caller takes nothing any more", async () => {
    const ended = Promise.withResolvers<void>();
    const source = readable(async function* () {
      try {
        for (;;) yield Buffer.alloc(1024 * 1024);
      } finally {
        ended.resolve();
      }
    });
    const { send, reported } = await serve([source], createTestMachine(), 50);
    const answer = await send(events);
    answer.pause();
    await ended.promise;
    await expect(text(answer)).rejects.toThrow("aborted");
    expect(reported).toEqual([]);
  });

  it("that fails in the middle breaks off, so that nobody takes it for whole, and is reported", async () => {
    const failure = new Error("the source broke");
    const { send, reported } = await serve([
      readable(async function* () {
        yield "first\n";
        throw failure;
      }),
    ]);
    await expect(text(await send(events))).rejects.toThrow("aborted");
    expect(reported).toEqual([failure]);
  });

  it("does not hold up a server that stops, even one that listens to no signal", async () => {
    const { send, server } = await serve([
      readable(async function* () {
        yield "first\n";
        await new Promise(() => undefined);
      }),
    ]);
    const answer = await send(events);
    const rest = text(answer);
    await server.close();
    expect(await rest).toBe("first\n");
  });

  it("is refused to a key that reads as many as it may, with a record of it, until one of them ends", async () => {
    const ended = vi.fn();
    const { send, test } = await serve([readable((ctx) => endless(ctx, ended))]);
    const reading = await Promise.all(Array.from({ length: 100 }, () => send(events)));
    for (const one of reading) one.once("error", () => undefined);
    await Promise.all(reading.map((one) => new Promise((resolve) => one.once("data", resolve))));
    const refused = await send(events);
    expect([refused.statusCode, refused.headers["retry-after"], JSON.parse(await text(refused)).code]).toEqual([
      429,
      "5",
      "rate_limited",
    ]);
    expect(test.drafts.at(-1)?.code).toBe("rate_limited");
    expect((await send()).statusCode).toBe(200); // reads that are no streams go on
    reading[0]?.destroy();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
    expect((await send(events)).statusCode).toBe(200);
  });

  it("of a HEAD request is its head alone", async () => {
    const begun = vi.fn();
    const { send, test } = await serve([
      readable(async function* () {
        begun();
        yield "x";
      }),
    ]);
    const answer = await send(events, "HEAD");
    expect([answer.statusCode, await text(answer), begun.mock.calls.length, test.written.length]).toEqual([
      200,
      "",
      0,
      1,
    ]);
  });
});

describe("a server that stops", () => {
  it.each([
    ["that asked nothing yet, as clients open them in advance", ""],
    ["whose request does not arrive whole", "GET /v1/things HTTP/1.1\r\nHost: x\r\n"],
    [
      "whose body does not arrive whole",
      "POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
  ])("does not wait for a connection %s", async (_which, said) => {
    const { server } = await serve([readable(async function* () {})], createTestMachine(), 60_000, 500);
    const { port } = server.server.address() as AddressInfo;
    const arrived = once(server.server, "connection");
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(said);
    const [there] = (await arrived) as [Socket];
    if (said !== "") await vi.waitFor(() => expect(there.bytesRead).toBe(said.length));
    const ended = once(socket.resume(), "close");
    await server.close();
    await ended;
  });
});

describe("a key under which a stream goes on", () => {
  it.each<[string, (test: TestMachine) => void]>([
    ["was revoked", (test) => Object.assign(test.key, { revokedAt: test.machine.clock.now() })],
    ["has expired", (test) => Object.assign(test.key, { expiresAt: test.machine.clock.now() })],
    ["lost its role", (test) => Object.assign(test.key.principal, { role: null })],
    ["has another role", (test) => Object.assign(test.key, { principal: { ...test.key.principal, role: "operator" } })],
    ["was narrowed to other scopes", (test) => Object.assign(test.key.principal, { scopes: ["agents:read"] })],
    ["cannot be confirmed any more", (test) => Object.assign(test, { fresh: false })],
  ])("that %s allows it no longer", async (_what, change) => {
    const said: boolean[] = [];
    const test = createTestMachine();
    const { send } = await serve(
      [
        readable(async function* (ctx) {
          said.push(ctx.allowed());
          change(test);
          said.push(ctx.allowed());
          yield "end";
        }),
      ],
      test,
    );
    await text(await send(events));
    expect(said).toEqual([true, false]);
  });
});

describe("a body of another media type", () => {
  const change = defineOperation({
    ...{
      ...base,
      id: "tests.change",
      method: "POST",
      path: "/v1/things",
      status: 200,
      permission: "tasks:write",
      decides: exempt("a test"),
    },
    body: Output,
    output: Output,
    example: { output: { n: 1 } },
    reads: {
      "application/yaml": (bytes) => {
        const match = /^n: (.+)\n$/.exec(bytes.toString());
        if (!match) throw refuse(malformedBody, "Line 1, column 1: this is not n.");
        return { n: Number.isNaN(Number(match[1])) ? match[1] : Number(match[1]) };
      },
    },
    handle: async (_ctx, { body }) => body,
  });
  const post = async (type: string, body: string) => {
    const { send } = await serve([change]);
    const answer = await send(
      { "content-type": type, "content-length": String(body.length) },
      "POST",
      "/v1/things",
      body,
    );
    return [answer.statusCode, answer.headers.accept ?? null, JSON.parse(await text(answer)).code ?? null];
  };

  it("is read by the operation's own reader, and then held against the schema", async () => {
    expect(await post("application/yaml; charset=utf-8", "n: 7\n")).toEqual([200, null, null]);
    expect(await post("application/yaml", "n: x\n")).toEqual([422, null, "invalid_body"]);
    expect(await post("application/yaml", "x")).toEqual([400, null, "malformed_body"]);
    expect(await post("application/json", '{"n":7}')).toEqual([200, null, null]);
  });

  it("that the operation does not read is 415, and Accept names those that it does", async () => {
    expect(await post("text/plain", "n: 7\n")).toEqual([
      415,
      "application/json, application/yaml",
      "unsupported_media_type",
    ]);
    expect(await post("application/yaml; charset=latin1", "n: 7\n")).toEqual([
      415,
      "application/json, application/yaml",
      "unsupported_media_type",
    ]);
    expect(await post("not a type", "n: 7\n")).toEqual([
      415,
      "application/json, application/yaml",
      "unsupported_media_type",
    ]);
  });
});

describe("a caller that is willing to wait", () => {
  const waiting = (waitable: boolean) =>
    defineRead({
      ...{
        ...base,
        id: "tests.wait",
        method: "GET",
        path: "/v1/things",
        status: 200,
        output: Output,
        example: { output: { n: 1 } },
      },
      ...(waitable ? { waitable } : {}),
      query: Type.Object({ wait: Type.Optional(Type.Integer()) }),
      handle: (ctx) => ({ n: ctx.waitSeconds }),
    });
  const ask = async (waitable: boolean, prefer: string, path = "/v1/things") => {
    const { send } = await serve([waiting(waitable)]);
    const answer = await send({ prefer }, "GET", path);
    return [JSON.parse(await text(answer)).n, answer.headers["preference-applied"] ?? null];
  };

  it("is told that its preference was applied, where the operation waits at all", async () => {
    expect(await ask(true, "wait=10")).toEqual([10, "wait=10"]);
    expect(await ask(true, "wait=1000")).toEqual([60, "wait=60"]);
    expect(await ask(true, "nonsense")).toEqual([0, null]);
    expect(await ask(false, "wait=10")).toEqual([0, null]);
  });

  it("is told nothing of its preference where the query says otherwise", async () => {
    expect(await ask(true, "wait=10", "/v1/things?wait=5")).toEqual([10, null]);
  });
});
