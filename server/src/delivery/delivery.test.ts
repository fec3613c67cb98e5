import { type CloudEvent, HTTP } from "cloudevents";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { useApp } from "../testing/app.ts";
import { type Receiver, type Reply, startReceiver } from "../testing/receiver.ts";

const app = useApp({ role: "all" });
const replies = new Map<string, Reply>();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(({ path }) => (replies.has(path) ? (replies.get(path) as Reply) : { status: 204 }));
});
afterAll(() => receiver.close());

let made = 0;
/** A new endpoint with a path of its own. */
async function endpoint(body: object = {}, options: object = {}) {
  const path = `/hook-${++made}`;
  const created = await app.call("POST", "/v1/webhooks", {
    body: { url: receiver.url + path, events: ["task.approval_required"], ...body },
    ...options,
  });
  expect(created.status, created.text).toBe(201);
  return { path, id: created.body.webhook_id as string, secret: created.body.secret as string };
}
const read = async (id: string) => (await app.call("GET", `/v1/webhooks/${id}`)).body;
const deliveriesOf = async (id: string) => (await app.call("GET", `/v1/webhooks/${id}/deliveries`)).body.data;
/** Waits until the one delivery to an endpoint is as it should be. */
const settled = (id: string, match: object) =>
  vi.waitFor(async () => expect((await deliveriesOf(id))[0]).toMatchObject(match), { timeout: 20_000, interval: 20 });

describe("a delivery", () => {
  it("of task.approval_required has exactly the six members of the interface specification, whatever else travels in headers", async () => {
    const { path } = await endpoint();
    const { task_id, audit_ref } = await app.dispatch();
    const [{ body, headers, method }] = (await receiver.until(path, 1)) as [(typeof receiver.received)[0]];
    const { risk } = (await app.call("GET", `/v1/tasks/${task_id}`)).body;
    const { summary } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
    expect(JSON.parse(body)).toEqual({
      event: "task.approval_required",
      task_id,
      agent: "sales",
      risk: risk.level,
      summary,
      approve_url: `http://127.0.0.1:4000/approvals/${task_id}`,
    });
    expect(method).toBe("POST");
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "aos-environment": "development",
      "aos-audit-ref": audit_ref,
      "aos-sequence": expect.stringMatching(/^\d+$/),
      "webhook-id": expect.stringMatching(/^evt_/),
    });
    expect(headers).not.toHaveProperty("aos-test");
    const checkpoint = Buffer.from(headers["aos-checkpoint"] as string, "base64").toString();
    const [origin, size] = checkpoint.split("\n");
    expect([origin, Number(size) > 0]).toEqual([expect.stringContaining("development"), true]);
  });

  it("is verified by svix and standardwebhooks, which refuse it changed, stale, or under another secret", async () => {
    const { path, secret } = await endpoint();
    await app.dispatch();
    const [{ body, headers }] = (await receiver.until(path, 1)) as [(typeof receiver.received)[0]];
    for (const Client of [SvixWebhook, StandardWebhook]) {
      expect(() => new Client(secret).verify(body, headers)).not.toThrow();
      expect(() => new Client(secret).verify(body.replace("sales", "other"), headers)).toThrow();
      expect(() => new Client(`whsec_${Buffer.alloc(32, 1).toString("base64")}`).verify(body, headers)).toThrow();
      const stale = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 3_600) };
      expect(() => new Client(secret).verify(body, stale)).toThrow();
    }
  });

  it("is signed with both secrets until the overlap of a new one ends, and with the new one alone where there is none", async () => {
    const { path, id, secret } = await endpoint();
    const rotated = await app.call("POST", `/v1/webhooks/${id}/rotate-secret`, { body: { overlap_seconds: 3_600 } });
    await app.dispatch();
    const [first] = await receiver.until(path, 1);
    for (const one of [secret, rotated.body.secret]) new StandardWebhook(one).verify(first!.body, first!.headers);
    const last = await app.call("POST", `/v1/webhooks/${id}/rotate-secret`, { body: { overlap_seconds: 0 } });
    await app.dispatch();
    const second = (await receiver.until(path, 2))[1]!;
    new StandardWebhook(last.body.secret).verify(second.body, second.headers);
    expect(() => new StandardWebhook(rotated.body.secret).verify(second.body, second.headers)).toThrow();
  });

  it("is signed with every secret whose overlap goes on, where an endpoint got several in a row", async () => {
    const { path, id, secret } = await endpoint();
    const rotate = async (overlap_seconds: number) =>
      (await app.call("POST", `/v1/webhooks/${id}/rotate-secret`, { body: { overlap_seconds } })).body.secret as string;
    const all = [secret, await rotate(604_800), await rotate(3_600)];
    await app.dispatch();
    const [first] = await receiver.until(path, 1);
    for (const one of all) new StandardWebhook(one).verify(first!.body, first!.headers);
    await app.pool.query("update webhooks set previous_untils[1] = now() where id = $1", [id]);
    const last = await rotate(60); // of the earlier ones, that which was to end first has ended
    await app.dispatch();
    const second = (await receiver.until(path, 2))[1]!;
    expect(second.headers["webhook-signature"]?.split(" ")).toHaveLength(3);
    for (const one of [secret, all[2] as string, last]) new StandardWebhook(one).verify(second.body, second.headers);
    expect(() => new StandardWebhook(all[1] as string).verify(second.body, second.headers)).toThrow();
    await app.pool.query(
      "update webhooks set previous_untils = array_fill(now(), array[cardinality(previous_untils)]) where id = $1",
      [id],
    );
    await app.call("PATCH", `/v1/webhooks/${id}`, { body: { description: "read again" } });
    await app.dispatch();
    const third = (await receiver.until(path, 3))[2]!;
    expect(third.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  it("as CloudEvents is read by the SDK of that standard", async () => {
    const { path } = await endpoint({ format: "cloudevents" });
    const { task_id } = await app.dispatch();
    const [{ body, headers }] = (await receiver.until(path, 1)) as [(typeof receiver.received)[0]];
    const event = HTTP.toEvent({ headers, body }) as CloudEvent<Record<string, unknown>>;
    expect(event.validate()).toBe(true);
    expect(event).toMatchObject({
      id: headers["webhook-id"],
      type: "task.approval_required",
      source: "/environments/development",
      subject: task_id,
    });
    expect(event.data).toMatchObject({ event: "task.approval_required", task_id });
  });

  it("in the format of Standard Webhooks has type, timestamp and data", async () => {
    const { path } = await endpoint({ format: "standard" });
    const { task_id } = await app.dispatch();
    const [{ body }] = (await receiver.until(path, 1)) as [(typeof receiver.received)[0]];
    const { type, timestamp, data, ...rest } = JSON.parse(body);
    expect([type, new Date(timestamp).toISOString(), data.task_id, rest]).toEqual([
      "task.approval_required",
      timestamp,
      task_id,
      {},
    ]);
  });

  it("stands in the list with what came of it, and read alone with what was sent", async () => {
    const { id, path } = await endpoint();
    replies.set(path, { status: 200, body: "Thank you." });
    await app.dispatch();
    await settled(id, { state: "delivered", attempts: 1, last_status: 200, last_error: null, test: false });
    const [{ delivery_id }] = await deliveriesOf(id);
    const { body } = await app.call("GET", `/v1/webhooks/${id}/deliveries/${delivery_id}`);
    const [sent] = receiver.at(path);
    expect(body.request_body).toBe(sent?.body);
    expect(body.attempt_list).toMatchObject([
      { number: 1, status: 200, error: null, response_excerpt: "Thank you.", url: receiver.url + path },
    ]);
    expect(sent?.headers).toMatchObject(body.attempt_list[0].request_headers);
    expect((await read(id)).health).toMatchObject({
      failing_since: null,
      pending: 0,
      last_success_at: expect.any(String),
    });
  });

  it("goes on kept connections, and what an endpoint answers at length is read no further than it is shown", async () => {
    const { path, id } = await endpoint({ events: ["task.created"] });
    replies.set(path, { status: 200, body: "x".repeat(100_000) });
    await app.dispatch();
    await settled(id, { state: "delivered" });
    const { body } = await app.call("GET", `/v1/webhooks/${id}/deliveries/${(await deliveriesOf(id))[0].delivery_id}`);
    expect(body.attempt_list[0].response_excerpt).toBe("x".repeat(1_024));
  });
});

describe("an endpoint gets", () => {
  it("the events that it asked for, of the agents and levels of risk that it asked for, and no others", async () => {
    const all = await endpoint({ events: ["task.*"] });
    const named = await endpoint({ events: ["task.created"] });
    const foreign = await endpoint({ events: ["*"], agents: ["somebody-else"] });
    const risky = await endpoint({ events: ["*"], risks: ["critical"] });
    const usual = await endpoint({ events: ["task.created"], agents: ["sales"], risks: ["low", "medium", "high"] });
    await app.dispatch();
    const names = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body).event);
    await receiver.until(all.path, 2);
    await receiver.until(named.path, 1);
    await receiver.until(usual.path, 1);
    expect(names(all.path).sort()).toEqual(["task.approval_required", "task.created"]);
    expect([names(named.path), names(usual.path)]).toEqual([["task.created"], ["task.created"]]);
    expect([await deliveriesOf(foreign.id), await deliveriesOf(risky.id)]).toEqual([[], []]);
  });

  it("a sample that somebody asks for, signed and marked as one, which stands in no log", async () => {
    const { path, id, secret } = await endpoint({ events: ["key.revoked"] });
    const sent = await app.call("POST", `/v1/webhooks/${id}/test`, { body: {} });
    expect([sent.status, sent.body.event, sent.body.test]).toEqual([202, "ping", true]);
    const [{ body, headers }] = (await receiver.until(path, 1)) as [(typeof receiver.received)[0]];
    expect(new StandardWebhook(secret).verify(body, headers)).toMatchObject({ event: "ping", webhook_id: id });
    expect([headers["aos-test"], headers["aos-sequence"]]).toEqual(["true", undefined]);
    await settled(id, { state: "delivered", test: true, sequence: null });
    expect((await app.pool.query("select from events where type = 'ping'")).rowCount).toBe(0);
  });
});

describe("an endpoint that does not take a delivery", () => {
  it.each([
    [{ status: 500, body: "broken" }, "status", 500],
    [{ status: 302, headers: { location: "https://elsewhere.example.com" } }, "redirect", 302],
    [{ status: 404 }, "status", 404],
  ])("is tried again after some seconds: %j", async (reply, error, status) => {
    const { path, id } = await endpoint();
    replies.set(path, reply);
    await app.dispatch();
    await settled(id, { state: "pending", attempts: 1, last_error: error, last_status: status });
    const [{ next_attempt_at, created_at }] = await deliveriesOf(id);
    expect(Date.parse(next_attempt_at) - Date.parse(created_at)).toBeGreaterThan(3_900);
    expect((await read(id)).health).toMatchObject({
      failing_since: expect.any(String),
      last_failure: { error, status },
      pending: 1,
    });
  });

  it("is distinguished from one that cannot be reached", async () => {
    const nobody = await app.call("POST", "/v1/webhooks", {
      body: { url: "http://127.0.0.1:9/", events: ["task.created"] },
    });
    await app.dispatch();
    await settled(nobody.body.webhook_id, { attempts: 1, last_error: "connect_failed", last_status: null });
  });

  it("is disabled at once where it answers 410, which is told, and what happens then is kept for later", async () => {
    const watcher = await endpoint({ events: ["webhook.disabled"] });
    const { path, id } = await endpoint();
    replies.set(path, { status: 410 });
    await app.dispatch();
    const [told] = await receiver.until(watcher.path, 1);
    expect(JSON.parse(told!.body)).toMatchObject({ event: "webhook.disabled", webhook_id: id, reason: "gone" });
    expect(await read(id)).toMatchObject({
      state: "disabled",
      disabled_reason: "gone",
      missed_since: expect.any(String),
    });
    await app.dispatch();
    expect(await deliveriesOf(id)).toMatchObject([{ state: "pending", last_error: "gone" }]);
    replies.delete(path);
    await app.call("PATCH", `/v1/webhooks/${id}`, { body: { state: "enabled" } });
    expect((await app.call("POST", `/v1/webhooks/${id}/recover`, { body: {} })).status).toBe(202);
    await vi.waitFor(
      async () =>
        expect((await deliveriesOf(id)).map(({ state }: { state: string }) => state)).toEqual([
          "delivered",
          "delivered",
        ]),
      {
        timeout: 20_000,
        interval: 20,
      },
    );
  });

  it("gets a sample once where it answers 410", async () => {
    const { path, id } = await endpoint();
    replies.set(path, { status: 410 });
    await app.call("POST", `/v1/webhooks/${id}/test`, { body: {} });
    await settled(id, { state: "failed", attempts: 1, last_error: "gone", test: true });
  });

  it("gets a delivery again where somebody says so, under the same id, also one that it took", async () => {
    const { path, id } = await endpoint();
    replies.set(path, { status: 503 });
    await app.dispatch();
    await settled(id, { attempts: 1, last_status: 503 });
    const [{ delivery_id }] = await deliveriesOf(id);
    const retry = () => app.call("POST", `/v1/webhooks/${id}/deliveries/${delivery_id}/retry`, { body: {} });
    replies.delete(path);
    expect((await retry()).status).toBe(202);
    await settled(id, { state: "delivered", attempts: 2 });
    await retry();
    await settled(id, { state: "delivered", attempts: 3 });
    expect(new Set((await receiver.until(path, 3)).map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });
});
