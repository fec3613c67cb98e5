import { describe, expect, it, vi } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { openEvents } from "../../../../testing/sse.ts";

const app = useSharedApp();
type Listed = {
  sequence: number;
  time: string;
  type: string;
  event_id: string;
  agent: string | null;
  task_id: string | null;
  data: Record<string, unknown>;
};
const list = async (query = "", options = {}): Promise<Listed[]> =>
  (await app.call("GET", `/v1/webhooks/events?limit=100${query}`, options)).body.data;
/** Waits until everything that happened has its sequence; answers the newest. */
const sequenced = async (): Promise<number> => {
  await vi.waitFor(
    async () => {
      const { rows } = await app.pool.query(
        "select (select count(*) from events) - (select count(*) from event_positions) as late",
      );
      expect(rows[0].late).toBe(0);
    },
    { timeout: 20_000, interval: 20 },
  );
  return (
    await app.pool.query(
      "select coalesce(max(sequence), 0)::int as newest from event_positions where environment = 'development'",
    )
  ).rows[0].newest;
};
const narrowed = async () =>
  (await app.call("POST", "/v1/admin/keys", { body: { name: "narrowed", role: "admin", agents: ["desk"] } })).body
    .key as string;

describe("the event log", () => {
  it("tells newest first, or from a sequence on without gap or repetition", async () => {
    const before = await sequenced();
    const { task_id, audit_ref } = await app.dispatch();
    await app.dispatch();
    const newest = await sequenced();
    expect((await list()).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: newest }, (_, at) => newest - at),
    );
    const since = await list(`&sort=sequence&after=${before}`);
    expect(since.map(({ type }) => type).sort()).toEqual([
      ...Array(2).fill("task.approval_required"),
      ...Array(2).fill("task.created"),
    ]);
    expect(since.find((event) => event.task_id === task_id)).toMatchObject({
      agent: "sales",
      risk: "high",
      audit_ref,
      data: { task_id },
    });
    const paged: Listed[] = [];
    for (let cursor = "", more = true; more; ) {
      const { body } = await app.call("GET", `/v1/webhooks/events?limit=1&sort=sequence&after=${before}${cursor}`);
      paged.push(...body.data);
      more = body.has_more;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(paged).toEqual(since);
  });

  it("is narrowed by event, agent, task and time", async () => {
    const { task_id } = await app.dispatch();
    await sequenced();
    expect((await list(`&task=${task_id}&event=task.created`)).map(({ type }) => type)).toEqual(["task.created"]);
    expect((await list(`&task=${task_id}&event=task.*&agent=sales`)).length).toBe(2);
    expect(await list(`&task=${task_id}&agent=desk`)).toEqual([]);
    expect(await list(`&created_after=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    const [created] = await list(`&task=${task_id}&event=task.created`);
    const at = Date.parse(created?.time ?? "");
    const around = (from: number, to: number) =>
      list(
        `&event=task.created&created_after=${new Date(from).toISOString()}&created_before=${new Date(to).toISOString()}`,
      );
    expect(await around(at, at + 1)).toContainEqual(created);
    expect(await around(at - 1_000, at)).not.toContainEqual(created);
    expect(await around(at + 1, at + 1_000)).not.toContainEqual(created);
  });

  it("is asked for by names that events have, as are its stream and the deliveries to an endpoint: another one is refused with the nearest", async () => {
    const { webhook_id } = (
      await app.call("POST", "/v1/webhooks", { body: { url: "http://127.0.0.1:9/", events: ["*"] } })
    ).body;
    for (const path of ["events", "stream", `${webhook_id}/deliveries`]) {
      const { status, body } = await app.call("GET", `/v1/webhooks/${path}?event=task.created,task.complete`);
      expect([status, body.code], path).toEqual([400, "invalid_parameter"]);
      expect(body.errors).toEqual([
        {
          parameter: "event",
          code: "unknown_event",
          detail: expect.stringContaining("did you mean `task.completed`?"),
        },
      ]);
    }
    const stream = await openEvents(`${app.url}/v1/webhooks/stream?event=task.complete`, app.key("viewer"));
    expect([stream.status, JSON.parse(await stream.text()).code]).toEqual([400, "invalid_parameter"]);
  });

  it("keeps what is of keys and audit from those who may not read that, and of other agents from a narrowed key", async () => {
    await app.dispatch();
    const issued = await app.call("POST", "/v1/admin/keys", { body: { name: "gone", role: "viewer" } });
    await app.call("DELETE", `/v1/admin/keys/${issued.body.key_id}`, { body: {} });
    await app.call("PUT", "/v1/governance/budgets/agent:desk", { body: { limits: [] } });
    await sequenced();
    const [revoked] = await list("&event=key.revoked");
    expect(revoked?.data).toMatchObject({ key_id: issued.body.key_id });
    expect(await list("&event=key.revoked", { key: "viewer" })).toEqual([]);
    const read = (key: string) => app.call("GET", `/v1/webhooks/events/${revoked?.event_id}/content`, { key });
    expect([
      (await read("admin")).status,
      (await read("viewer")).status,
      (await read("viewer")).body.missing_scope,
    ]).toEqual([200, 403, "admin:read"]);
    const key = await narrowed();
    expect((await list("", { key })).filter(({ agent }) => agent !== "desk")).toEqual([]);
    const [created] = await list("&event=task.created");
    expect((await app.call("GET", `/v1/webhooks/events/${created?.event_id}/content`, { key })).status).toBe(403);
  });
});

describe("the stream of events", () => {
  it("tells what happens from now on, as the log has it, and goes on after Last-Event-ID", async () => {
    await app.dispatch();
    const before = await sequenced();
    const stream = await openEvents(`${app.url}/v1/webhooks/stream`, app.key("viewer"));
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    const parts = stream[Symbol.asyncIterator]();
    const start = { id: String(before), comment: `from ${before}`, retry: "2000" };
    expect((await parts.next()).value, "whoever comes back before an event was told goes on from here").toEqual(start);
    const { task_id } = await app.dispatch();
    const heard = [(await parts.next()).value, (await parts.next()).value];
    stream.leave();
    expect(heard.map(({ id }) => Number(id))).toEqual([before + 1, before + 2]);
    const logged = await list(`&sort=sequence&after=${before}`);
    expect(heard.map(({ data }) => JSON.parse(data))).toEqual(logged);
    expect(heard.map(({ event }) => event)).toEqual(logged.map(({ type }) => type));
    expect(logged[0]?.task_id).toBe(task_id);
    const back = await openEvents(`${app.url}/v1/webhooks/stream`, app.key("viewer"), {
      lastEventId: String(before + 1),
    });
    const again = back[Symbol.asyncIterator]();
    await again.next();
    expect((await again.next()).value?.id).toBe(String(before + 2));
    back.leave();
  });

  it("tells each follower what it may and wants to know, and no more", async () => {
    const before = await sequenced();
    const streams = await Promise.all(
      [
        ["viewer", "?after=0&event=key.*,task.created"],
        ["admin", "?after=0&event=key.*"],
      ].map(([role, query]) => openEvents(`${app.url}/v1/webhooks/stream${query}`, app.key(role as "viewer"))),
    );
    const issued = await app.call("POST", "/v1/admin/keys", { body: { name: "gone", role: "viewer" } });
    await app.call("DELETE", `/v1/admin/keys/${issued.body.key_id}`, { body: {} });
    await app.dispatch();
    const newest = await sequenced();
    const names = await Promise.all(
      streams.map(async (stream) => {
        const found: string[] = [];
        for await (const { id, event } of stream) {
          if (event === undefined) continue;
          found.push(event);
          if (Number(id) > before && (event === "key.revoked" || Number(id) >= newest - 1)) break;
        }
        stream.leave();
        return found;
      }),
    );
    expect(new Set(names[0])).toEqual(new Set(["task.created"]));
    expect(new Set(names[1])).toEqual(new Set(["key.revoked"]));
  });

  it("refuses what belongs to pages, and an id that is none", async () => {
    const cursor = await openEvents(`${app.url}/v1/webhooks/stream?cursor=abc`, app.key("viewer"));
    expect([cursor.status, JSON.parse(await cursor.text()).errors[0]]).toEqual([
      400,
      expect.objectContaining({ parameter: "cursor", code: "not_of_streams" }),
    ]);
    const bad = await openEvents(`${app.url}/v1/webhooks/stream`, app.key("viewer"), { lastEventId: "evt_1" });
    expect([bad.status, JSON.parse(await bad.text()).code]).toEqual([400, "invalid_header"]);
  });

  it("without that header is pages of the log, oldest first", async () => {
    const { body } = await app.call("GET", "/v1/webhooks/stream?limit=2");
    expect(body.data.map(({ sequence }: Listed) => sequence)).toEqual([1, 2]);
  });
});
