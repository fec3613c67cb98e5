import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { useSharedApp } from "../../server/src/testing/shared-app.ts";
import { ConnectionError, createClient, NotFound, type StreamedEvent, type StreamOptions } from "./index.ts";
import { type Behaviour, breakOff, cuttable, json, loopback, problem } from "./loopback.fixture.ts";

const follow = (baseUrl: string, options: StreamOptions & { after?: number } = {}) => {
  const { after, ...more } = options;
  const client = createClient({ baseUrl, key: "aos_dev_test", retry: { firstPauseMs: 1 } });
  return client.tasks.listTaskEvents.stream({ task: "tsk_1", ...(after === undefined ? {} : { after }) }, more);
};
const idsOf = async (events: AsyncIterable<StreamedEvent>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
};

const event = (id: number, type = "task.started") =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ event: type, task_id: "tsk_1" })}\n\n`;
const end = "event: end\ndata: {}\n\n";
const head = { "content-type": "text/event-stream; charset=utf-8" };

/** Begins a stream, writes these pieces one by one, and then ends it, breaks it off, or leaves it open. */
const streaming =
  (pieces: readonly string[], then: "end" | "break" | "stay" = "end"): Behaviour =>
  (response) => {
    response.writeHead(200, head);
    response.write("retry: 1\n\n");
    const write = (at: number): void => {
      const piece = pieces[at];
      if (piece !== undefined) response.write(piece, () => setImmediate(write, at + 1));
      else if (then === "end") response.end();
      else if (then === "break") response.destroy();
    };
    write(0);
  };

describe("a stream of events", () => {
  it("goes on from where it began where it ends before an event was told", async () => {
    const start = "id: 41\n: from 41\nretry: 1\n\n";
    const { url, received } = await loopback(streaming([start]), streaming(["id: 41\n: from 41\n\n", event(42), end]));
    expect(await idsOf(follow(url))).toEqual(["42"]);
    expect(received.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "41"]);
  });

  it("yields each with its id, its type and its parsed data, and ends when it says that it is over", async () => {
    const { url, received } = await loopback(
      streaming([": ping\n\n", event(1, "task.created"), event(2), end], "stay"),
    );
    const heard: StreamedEvent[] = [];
    for await (const one of follow(url)) heard.push(one);
    expect(heard).toEqual([
      { id: "1", type: "task.created", data: { event: "task.created", task_id: "tsk_1" } },
      { id: "2", type: "task.started", data: { event: "task.started", task_id: "tsk_1" } },
    ]);
    expect(received.map(({ url: path, headers }) => [path, headers.accept, headers["last-event-id"]])).toEqual([
      ["/v1/tasks/tsk_1/events", "text/event-stream", undefined],
    ]);
  });

  it("is taken up after the last event where it breaks or just ends, without loss or doubling", async () => {
    const { url, received } = await loopback(
      streaming([event(1), event(2), "id: 3\nevent: task.sta"], "break"),
      breakOff,
      problem(503, "overloaded"),
      streaming([event(3), event(4)], "end"),
      streaming([event(4), event(5), end]),
    );
    expect(await idsOf(follow(url))).toEqual(["1", "2", "3", "4", "5"]);
    expect(received.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2", "2", "2", "4"]);
  });

  it("neither loses nor doubles an event, wherever the connections break and the pieces are cut", async () => {
    const whole = Array.from({ length: 6 }, (_, at) => event(at + 1));
    const cuts = fc.array(
      fc.record({ bytes: fc.integer({ min: 0, max: 500 }), piece: fc.integer({ min: 1, max: 60 }) }),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(cuts, async (breaks) => {
        const from = (last: string | undefined): string => whole.slice(Number(last ?? 0)).join("") + end;
        const piecesOf = (text: string, size: number): string[] =>
          text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
        const broken = breaks.map(
          ({ bytes, piece }): Behaviour =>
            (response, request) =>
              streaming(
                piecesOf(from(request.headers["last-event-id"] as string | undefined).slice(0, bytes), piece),
                "break",
              )(response, request),
        );
        const { url } = await loopback(...broken, (response, request) =>
          streaming([from(request.headers["last-event-id"] as string | undefined)])(response, request),
        );
        expect(await idsOf(follow(url))).toEqual(["1", "2", "3", "4", "5", "6"]);
      }),
      { numRuns: 25 },
    );
  });

  it("begins where its caller says", async () => {
    const { url, received } = await loopback(streaming([event(8), end]));
    expect(await idsOf(follow(url, { lastEventId: "7" }))).toEqual(["8"]);
    expect(await idsOf(follow(url, { after: 7 }))).toEqual(["8"]);
    expect(received.map(({ url: path, headers }) => [path, headers["last-event-id"]])).toEqual([
      ["/v1/tasks/tsk_1/events", "7"],
      ["/v1/tasks/tsk_1/events?after=7", undefined],
    ]);
  });

  it("is taken up again where nothing comes any more, not even a ping", async () => {
    const { url, received } = await loopback(streaming([event(1)], "stay"), streaming([event(2), end]));
    expect(await idsOf(follow(url, { silenceMs: 100 }))).toEqual(["1", "2"]);
    expect(received).toHaveLength(2);
  });

  it("closes its connection when the loop is left", async () => {
    const closed = vi.fn();
    const { url } = await loopback((response, request) => {
      response.on("close", closed);
      streaming([event(1)], "stay")(response, request);
    });
    for await (const { id } of follow(url)) if (id === "1") break;
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  });

  it("ends with the reason of its signal, also in silence", async () => {
    const { url } = await loopback(streaming([event(1)], "stay"));
    const left = new AbortController();
    const heard: string[] = [];
    const all = (async () => {
      for await (const { id } of follow(url, { signal: left.signal })) heard.push(id);
    })();
    await vi.waitFor(() => expect(heard).toEqual(["1"]));
    left.abort(new Error("the user left"));
    await expect(all).rejects.toThrow("the user left");
  });

  it("ends with the refusal where there is nothing to follow, and with ConnectionError where nobody answers", async () => {
    await expect(idsOf(follow((await loopback(problem(404, "not_found"))).url))).rejects.toBeInstanceOf(NotFound);
    const { url, received } = await loopback(streaming([event(1)], "break"), breakOff);
    await expect(idsOf(follow(url, { retries: 2 }))).rejects.toBeInstanceOf(ConnectionError);
    expect(received).toHaveLength(4);
  });
});

describe("a change that is followed", () => {
  const delta = (id: number, text: string) =>
    `id: ${id}\nevent: chat.part.delta\ndata: ${JSON.stringify({ message_id: "msg_1", index: 0, text })}\n\n`;

  it("is made once, however often its connection breaks or is answered without a stream", async () => {
    const { url, received } = await loopback(
      streaming(["id: 4\n: from 4\nretry: 1\n\n", delta(5, "Hel")], "break"),
      json({ message_id: "msg_2" }, 202),
      streaming([delta(5, "Hel"), delta(6, "lo"), end]),
    );
    const aos = createClient({ baseUrl: url, key: "aos_dev_test", retry: { firstPauseMs: 1 } });
    const heard: string[] = [];
    for await (const event of aos.chat.sendMessage.stream({ conversation: "cnv_1", text: "Hi" }))
      if (event.type === "chat.part.delta") heard.push(event.data.text);
    expect(heard).toEqual(["Hel", "lo"]);
    const calls = received.map(({ method, headers, body }) => [method, headers["idempotency-key"], body]);
    expect(new Set(calls.map(String)).size).toBe(1);
    expect(calls[0]).toEqual(["POST", expect.any(String), '{"text":"Hi"}']);
  });
});

describe("the events of a task of a real service", () => {
  const app = useSharedApp();

  it("come through connections that break, and end with the task", async () => {
    const way = await cuttable(app.url);
    const { task_id } = await app.dispatch();
    const aos = createClient({ baseUrl: way.url, key: app.key("admin"), retry: { firstPauseMs: 1 } });
    const heard: StreamedEvent[] = [];
    for await (const one of aos.tasks.listTaskEvents.stream({ task: task_id })) {
      heard.push(one);
      way.cut();
      if (one.id === "2") await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} });
    }
    expect(heard.map(({ id, type }) => [id, type])).toEqual([
      ["1", "task.created"],
      ["2", "task.approval_required"],
      ["3", "task.cancelled"],
    ]);
    expect(heard[2]?.data).toMatchObject({ event: "task.cancelled", task_id, status: "cancelled" });
  });

  it("are none for who comes back after the end", async () => {
    const { task_id } = await app.dispatch();
    await app.call("POST", `/v1/tasks/${task_id}/cancel`, { body: {} });
    const aos = createClient({ baseUrl: app.url, key: app.key("admin") });
    expect(await idsOf(aos.tasks.listTaskEvents.stream({ task: task_id }, { lastEventId: "3" }))).toEqual([]);
  });
});
