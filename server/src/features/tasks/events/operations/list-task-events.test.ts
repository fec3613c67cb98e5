import { describe, expect, it, vi } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { type Heard, idsOf, openEvents } from "../../../../testing/sse.ts";
import { startWorkerProcess } from "../../../../testing/worker.ts";

const app = useApp();
const pathOf = (task: string) => `/v1/tasks/${task}/events`;
const cancel = (task: string) => app.call("POST", `/v1/tasks/${task}/cancel`, { body: {} });
/** Two events: that it was created, and that people are asked. */
const waiting = async () => (await app.dispatch()).task_id;
const follow = (task: string, options: { lastEventId?: string; key?: string; query?: string } = {}) =>
  openEvents(app.url + pathOf(task) + (options.query ?? ""), options.key ?? app.key("viewer"), options);
const recordsOf = async (reference: string | null) =>
  (await app.pool.query("select body::json ->> 'operation' as operation from audit_records where id = $1", [reference]))
    .rows;

describe("a task's events in pages", () => {
  it("come oldest first, each with its sequence, its type and what subscribers got", async () => {
    const task = await waiting();
    await cancel(task);
    const { status, body } = await app.call("GET", pathOf(task), { key: "viewer" });
    expect(status).toBe(200);
    const types = ["task.created", "task.approval_required", "task.cancelled"];
    expect(body.data.map(({ sequence, type }: { sequence: number; type: string }) => [sequence, type])).toEqual(
      types.map((type, i) => [i + 1, type]),
    );
    expect(body.data[0]).toMatchObject({
      event_id: expect.stringMatching(/^evt_/),
      data: { event: "task.created", task_id: task },
    });
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it("begin above `after`, and go on by cursor", async () => {
    const task = await waiting();
    await cancel(task);
    const first = await app.call("GET", `${pathOf(task)}?after=1&limit=1`);
    const second = await app.call("GET", `${pathOf(task)}?after=1&limit=1&cursor=${first.body.next_cursor}`);
    expect(
      [first, second].map(({ body }) => [body.data.map((one: { sequence: number }) => one.sequence), body.has_more]),
    ).toEqual([
      [[2], true],
      [[3], false],
    ]);
  });

  it("take no cursor of another task", async () => {
    const [one, other] = [await waiting(), await waiting()];
    const { body } = await app.call("GET", `${pathOf(one)}?limit=1`);
    const foreign = await app.call("GET", `${pathOf(other)}?limit=1&cursor=${body.next_cursor}`);
    expect([foreign.status, foreign.body.code]).toEqual([400, "invalid_cursor"]);
  });
});

describe("a task's events as a stream", () => {
  it("tells what was, then what happens, and ends with the task", async () => {
    const task = await waiting();
    const stream = await follow(task);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect([stream.headers.get("cache-control"), stream.headers.get("vary")]).toEqual([
      "no-cache",
      expect.stringContaining("Accept"),
    ]);
    const heard: Heard[] = [];
    for await (const part of stream) {
      heard.push(part);
      if (part.id === "2") await cancel(task);
    }
    expect(heard.map(({ id, event }) => [id, event])).toEqual([
      [undefined, undefined],
      ["1", "task.created"],
      ["2", "task.approval_required"],
      ["3", "task.cancelled"],
      [undefined, "end"],
    ]);
    expect(JSON.parse(heard[3]?.data ?? "")).toMatchObject({
      event: "task.cancelled",
      task_id: task,
      status: "cancelled",
    });
  });

  it("has one record, which is durable before its first byte", async () => {
    const stream = await follow(await waiting());
    const reference = stream.headers.get("audit-ref");
    expect(await recordsOf(reference)).toEqual([{ operation: "tasks.listTaskEvents" }]); // nothing of it was read yet
    stream.leave();
  });

  it("replays to a client that comes back after the end, and closes", async () => {
    const task = await waiting();
    await cancel(task);
    const from = async (lastEventId?: string) =>
      idsOf(await follow(task, lastEventId === undefined ? {} : { lastEventId }));
    expect(await Promise.all([from(), from("0"), from("1"), from("3")])).toEqual([[1, 2, 3], [1, 2, 3], [2, 3], []]);
  });

  it("begins above `after`, but where a client comes back, at what it has", async () => {
    const task = await waiting();
    await cancel(task);
    expect(await idsOf(await follow(task, { query: "?after=2" }))).toEqual([3]);
    expect(await idsOf(await follow(task, { query: "?after=2", lastEventId: "1" }))).toEqual([2, 3]);
  });

  it.each(["two", "-1", "1.5"])(
    "refuses the Last-Event-ID %j, with a record, and takes it for pages",
    async (lastEventId) => {
      const task = await waiting();
      const refused = await follow(task, { lastEventId });
      expect(refused.status).toBe(400);
      const { code, errors } = JSON.parse(await refused.text());
      expect([code, errors[0].header]).toEqual(["invalid_header", "Last-Event-ID"]);
      expect(await recordsOf(refused.headers.get("audit-ref"))).toHaveLength(1);
      expect((await app.call("GET", pathOf(task), { headers: { "last-event-id": lastEventId } })).status).toBe(200);
    },
  );

  it("refuses a cursor, which belongs to pages", async () => {
    const refused = await follow(await waiting(), { query: "?cursor=abc" });
    expect([refused.status, JSON.parse(await refused.text()).errors[0].parameter]).toEqual([400, "cursor"]);
  });

  it("ends within two seconds after its key was revoked", async () => {
    const { secret, keyId } = await app.member("viewer");
    const stream = await follow(await waiting(), { key: secret });
    const ids = idsOf(stream);
    const began = performance.now();
    expect((await app.call("DELETE", `/v1/admin/keys/${keyId}`, { body: {} })).status).toBe(200);
    expect(await ids).toEqual([1, 2]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("stops nothing when its client leaves, and is forgotten", async () => {
    const task = await waiting();
    const stream = await follow(task);
    for await (const { id } of stream) if (id === "2") break;
    stream.leave();
    const { body } = await app.call("GET", `/v1/tasks/${task}`);
    expect(body.status).toBe("awaiting_approval");
    await cancel(task);
    expect(await idsOf(await follow(task))).toEqual([1, 2, 3]);
  });

  it("answers HEAD with the head alone", async () => {
    const headers = { accept: "text/event-stream" };
    const { status, text, headers: answered } = await app.call("HEAD", pathOf(await waiting()), { headers });
    expect([status, text, answered.get("content-type")]).toEqual([200, "", "text/event-stream; charset=utf-8"]);
  });

  it("hears of what another process does", async () => {
    const { task_id } = await app.dispatch({ require_approval: false });
    const stream = await follow(task_id);
    const heard: Heard[] = [];
    const all = (async () => {
      for await (const part of stream) heard.push(part);
    })();
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(1));
    const other = await startWorkerProcess(app.connectionString);
    try {
      await other.worker();
      await all;
      expect(heard.map(({ event }) => event)).toEqual([
        undefined,
        "task.created",
        "task.started",
        "task.completed",
        "end",
      ]);
    } finally {
      await other.close();
    }
  });
});
