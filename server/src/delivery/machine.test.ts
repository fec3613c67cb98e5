import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { timeOfId } from "../kernel/ids.ts";
import { useApp } from "../testing/app.ts";
import { startDelivery, stoppedClock, useDeliveries } from "../testing/delivery.ts";
import { type Received, type Receiver, type Reply, startReceiver } from "../testing/receiver.ts";
import { claimMs } from "./machine.ts";
import { schedule } from "./schedule.ts";

const app = useApp();
type Answer = Reply | ((request: Received) => Reply | Promise<Reply>);
const replies = new Map<string, Answer>();
const machine = useDeliveries(app);
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver((request) => {
    const reply = replies.get(request.path);
    return typeof reply === "function" ? reply(request) : reply === undefined ? { status: 204 } : reply;
  });
});
afterAll(() => receiver.close());

let made = 0;
async function endpoint(reply?: Answer, body: object = {}) {
  const path = `/machine-${++made}`;
  if (reply !== undefined) replies.set(path, reply);
  const { body: created } = await app.call("POST", "/v1/webhooks", {
    body: { url: receiver.url + path, events: ["task.created"], ...body },
  });
  return { path, id: created.webhook_id as string };
}
const dispatch = (count: number) => Promise.all(Array.from({ length: count }, () => app.dispatch()));
const rowsOf = async (id: string) =>
  (
    await app.pool.query(
      "select id, state, attempts, step, next_at, event_id from deliveries where webhook_id = $1 order by id",
      [id],
    )
  ).rows;
/** Waits until the deliveries to an endpoint are as a test wants them. */
const when = (id: string, hold: (rows: Awaited<ReturnType<typeof rowsOf>>) => void) =>
  vi.waitFor(async () => hold(await rowsOf(id)), { timeout: 25_000, interval: 15 });
const attemptsOf = async (delivery: string) =>
  (
    await app.pool.query(
      "select number, started_at, status, error from delivery_attempts where delivery_id = $1 order by number",
      [delivery],
    )
  ).rows;

describe("with a clock that stands", () => {
  it("attempts a delivery at the times of the schedule, gives it up after the tenth, and disables the endpoint after five days of failure", async () => {
    const clock = stoppedClock();
    await machine({ clock });
    const { id } = await endpoint({ status: 500 });
    await dispatch(1);
    for (let failures = 1; failures < schedule.length; failures++) {
      await when(id, ([row]) => expect(row).toMatchObject({ state: "pending", attempts: failures, step: failures }));
      clock.to((await rowsOf(id))[0].next_at.getTime());
    }
    await when(id, ([row]) => expect(row).toMatchObject({ state: "failed", attempts: 10 }));
    const attempts = await attemptsOf((await rowsOf(id))[0].id);
    const waits = attempts
      .slice(1)
      .map(({ started_at }, at) => started_at.getTime() - attempts[at].started_at.getTime());
    expect(waits).toEqual(schedule.slice(1));
    expect((await app.call("GET", `/v1/webhooks/${id}`)).body.state).toBe("enabled");
    clock.forward(2 * 86_400_000);
    await dispatch(1);
    await vi.waitFor(
      async () =>
        expect((await app.call("GET", `/v1/webhooks/${id}`)).body).toMatchObject({
          state: "disabled",
          disabled_reason: "failing",
        }),
      { timeout: 20_000, interval: 20 },
    );
    const { rows } = await app.pool.query(
      "select body::json as body from events where type = 'webhook.disabled' and body like $1",
      [`%${id}%`],
    );
    const since = attempts[0].started_at.toISOString(); // what was given up since then was missed as well
    expect(rows[0].body).toMatchObject({ reason: "failing", failing_since: since, missed_since: since });
    expect((await app.call("GET", `/v1/webhooks/${id}`)).body.missed_since).toBe(since);
  });

  it("waits as long as the receiver asks for", async () => {
    const clock = stoppedClock();
    await machine({ clock });
    const { id } = await endpoint({ status: 429, headers: { "retry-after": "9" } });
    await dispatch(1);
    await when(id, ([row]) => expect(row).toMatchObject({ attempts: 1, next_at: new Date(clock.now() + 9_000) }));
  });

  it("attempts again, under the same webhook-id, what a process had claimed that came to nothing, and tells of it", async () => {
    const clock = stoppedClock();
    let hang = true;
    const { id, path } = await endpoint(() => (hang ? null : { status: 204 }));
    const ended = await startDelivery(app, { clock }); // never writes what came of it, like one that was killed
    onTestFinished(() => ended.stop());
    await dispatch(1);
    await receiver.until(path, 1);
    hang = false;
    await machine({ clock });
    const bystander = await endpoint();
    await dispatch(1);
    await receiver.until(bystander.path, 1);
    expect(
      receiver.at(path).filter(({ headers }) => headers["webhook-id"] === receiver.at(path)[0]?.headers["webhook-id"]),
    ).toHaveLength(1);
    clock.forward(claimMs);
    await when(id, (rows) => expect(rows.map(({ state }) => state)).toEqual(["delivered", "delivered"]));
    const claimed = receiver.at(path)[0]?.headers["webhook-id"]; // ids of two processes at one moment have no order
    const first = (await rowsOf(id)).find(({ event_id }) => event_id === claimed);
    expect(receiver.at(path).filter(({ headers }) => headers["webhook-id"] === claimed)).toHaveLength(2);
    expect(await attemptsOf(first.id)).toMatchObject([
      { number: 1, status: null, error: "interrupted" },
      { number: 2, status: 204, error: null },
    ]);
  });

  it("sends an endpoint no more in a second than it wants, whichever process does", async () => {
    const clock = stoppedClock();
    await machine({ clock });
    await machine({ clock });
    const { path } = await endpoint(undefined, { rate_per_second: 4 });
    const other = await endpoint(undefined, { events: ["agent.resumed"] });
    await dispatch(10);
    for (const [round, sent] of [4, 8, 10].entries()) {
      await receiver.until(path, sent);
      await app.call("POST", "/v1/agents/sales/pause", { body: { mode: "drain", reason: "A test." } });
      await app.call("POST", "/v1/agents/sales/resume", { body: { note: "Tested." } });
      await receiver.until(other.path, round + 1); // by then more would have come here too
      expect(receiver.at(path)).toHaveLength(sent);
      clock.forward(1_000);
    }
  });

  it("sends an endpoint as many in a second as it wants, also where those are more than it gets at a time", async () => {
    const { path } = await endpoint(undefined, { rate_per_second: 100 });
    await dispatch(80);
    await machine({ clock: stoppedClock(), pollMs: 60_000 });
    await receiver.until(path, 80);
  });

  it("sends an endpoint with a rate what waits as soon as whoever writes of it at that moment has done so", async () => {
    const { path, id } = await endpoint(undefined, { rate_per_second: 100 });
    await app.pool.query(
      "insert into webhook_health (organization, environment, webhook_id) values ('default', 'development', $1)",
      [id],
    );
    const writer = await app.pool.connect();
    onTestFinished(() => writer.release(true));
    await writer.query("begin");
    await writer.query("select from webhook_health where webhook_id = $1 for update", [id]);
    await dispatch(1);
    await machine({ clock: stoppedClock(), pollMs: 60_000 });
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect((await app.pool.query(waiting)).rowCount).toBe(1), {
      timeout: 10_000,
      interval: 20,
    });
    await writer.query("commit");
    await receiver.until(path, 1);
  });
});

describe("several processes", () => {
  it("attempt each delivery once", async () => {
    await Promise.all([machine(), machine(), machine()]);
    const endpoints = await Promise.all(Array.from({ length: 5 }, () => endpoint()));
    await dispatch(40);
    for (const { path } of endpoints) await receiver.until(path, 40);
    for (const { path, id } of endpoints) {
      await when(id, (rows) =>
        expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(Array(40).fill(["delivered", 1])),
      );
      expect(new Set(receiver.at(path).map(({ headers }) => headers["webhook-id"])).size).toBe(40);
      expect(receiver.at(path)).toHaveLength(40);
    }
  });

  it("lose nothing where one stops in the middle", async () => {
    const first = await startDelivery(app);
    await machine();
    const { path, id } = await endpoint();
    const dispatched = dispatch(60);
    await receiver.until(path, 5);
    await first.stop();
    await dispatched;
    await when(id, (rows) => expect(rows.filter(({ state }) => state === "delivered")).toHaveLength(60));
    expect(new Set(receiver.at(path).map(({ headers }) => headers["webhook-id"])).size).toBe(60);
  });
});

describe("an endpoint that hangs or fails", () => {
  it("delays nobody but itself, and is left alone the more the longer it takes", async () => {
    await machine();
    const hanging = await Promise.all(Array.from({ length: 6 }, () => endpoint(null)));
    const failing = await Promise.all(Array.from({ length: 6 }, () => endpoint({ status: 500 })));
    const healthy = await Promise.all(Array.from({ length: 6 }, () => endpoint()));
    await dispatch(60);
    for (const { path } of healthy) await receiver.until(path, 60);
    for (const { path } of hanging) expect(receiver.at(path).length).toBeLessThanOrEqual(32);
    for (const { id } of failing)
      await when(id, (rows) => expect(rows.every(({ attempts }) => attempts > 0)).toBe(true));
    for (const { id } of hanging) expect((await rowsOf(id)).filter(({ state }) => state !== "pending")).toEqual([]);
  });
});

describe("an endpoint that answers 410", () => {
  it("gets that delivery once more when it is enabled, and then goes on without it", async () => {
    const { path, id } = await endpoint({ status: 410 });
    const clock = stoppedClock();
    await machine({ clock });
    const disabled = () =>
      vi.waitFor(async () => expect((await app.call("GET", `/v1/webhooks/${id}`)).body.state).toBe("disabled"), {
        timeout: 20_000,
        interval: 20,
      });
    const enable = () => app.call("PATCH", `/v1/webhooks/${id}`, { body: { state: "enabled" } });
    await dispatch(1);
    await disabled();
    const again = new Date(clock.now() + (schedule[1] as number));
    await when(id, ([row]) => expect(row).toMatchObject({ state: "pending", attempts: 1, next_at: again }));
    await enable();
    clock.to(Date.now() + 60_000); // an answer disables an endpoint that was enabled before it was asked
    await disabled();
    await when(id, ([row]) => expect(row).toMatchObject({ state: "failed", attempts: 2 }));
    replies.delete(path);
    await enable();
    await app.call("POST", `/v1/webhooks/${id}/recover`, { body: {} });
    await when(id, ([row]) => expect(row).toMatchObject({ state: "delivered", attempts: 3 }));
  });
});

describe("an endpoint that answers 410 to an attempt that began before", () => {
  it.each([
    ["it got another URL", (path: string) => [{ url: `${receiver.url + path}-new` }]],
    ["it was enabled", () => [{ state: "paused" }, { state: "enabled" }]],
  ])("stays enabled: %s", async (_since, changes) => {
    const delivery = await startDelivery(app);
    const changed = Promise.withResolvers<Reply>();
    const { path, id } = await endpoint(() => changed.promise);
    await dispatch(1);
    await receiver.until(path, 1);
    for (const body of changes(path)) await app.call("PATCH", `/v1/webhooks/${id}`, { body });
    changed.resolve({ status: 410 });
    await when(id, ([row]) => expect(row).toMatchObject({ state: "pending", attempts: 1, step: 0 }));
    await delivery.stop(); // by then whatever comes of it is done
    expect((await app.call("GET", `/v1/webhooks/${id}`)).body.state).toBe("enabled");
    expect(delivery.faults).toEqual([]);
  });
});

describe("an endpoint that is paused", () => {
  it("gets nothing, then what waited, and by recovery what came meanwhile, each once", async () => {
    await machine();
    const { path, id } = await endpoint({ status: 500 });
    await dispatch(1);
    await when(id, ([row]) => expect(row).toMatchObject({ attempts: 1 }));
    await app.call("PATCH", `/v1/webhooks/${id}`, { body: { state: "paused" } });
    const watcher = await endpoint();
    await dispatch(7);
    await receiver.until(watcher.path, 7);
    expect(await rowsOf(id)).toHaveLength(1);
    replies.delete(path);
    await app.call("PATCH", `/v1/webhooks/${id}`, { body: { state: "enabled" } });
    expect((await app.call("POST", `/v1/webhooks/${id}/recover`, { body: {} })).status).toBe(202);
    await when(id, (rows) => expect(rows.map(({ state }) => state)).toEqual(Array(8).fill("delivered")));
    expect(new Set((await rowsOf(id)).map(({ event_id }) => event_id)).size).toBe(8);
    expect((await app.call("GET", `/v1/webhooks/${id}`)).body).toMatchObject({ recovering: false, missed_since: null });
    const count = receiver.at(path).length;
    await app.call("POST", `/v1/webhooks/${id}/recover`, {
      body: { since: new Date(Date.now() - 3_600_000).toISOString() },
    });
    await vi.waitFor(async () => expect((await app.call("GET", `/v1/webhooks/${id}`)).body.recovering).toBe(false), {
      timeout: 20_000,
      interval: 20,
    });
    const since = (await rowsOf(id)).length;
    await when(id, (rows) => expect(rows.every(({ state }) => state === "delivered")).toBe(true));
    expect(receiver.at(path).length - count).toBe(since - 8);
  });

  it("gets by recovery nothing again of which its delivery was deleted while the recovery ran", async () => {
    await machine();
    const { path, id } = await endpoint();
    for (const count of [1, 2]) {
      await dispatch(1);
      await when(id, (rows) => expect(rows.map(({ state }) => state)).toEqual(Array(count).fill("delivered")));
    }
    const [forgotten, kept] = await rowsOf(id);
    await app.pool.query("delete from deliveries where webhook_id = $1", [id]);
    const mark = new Date(timeOfId(kept.event_id) as number);
    expect(timeOfId(forgotten.event_id)).toBeLessThan(mark.getTime());
    const since = new Date(mark.getTime() - 60_000).toISOString();
    await app.pool.query(
      `create function forget() returns trigger language plpgsql as $$ begin new.forgotten_before = '${mark.toISOString()}'; return new; end $$`,
    );
    await app.pool.query(
      `create trigger forget before update on webhooks for each row when (new.id = '${id}' and old.recover_to is distinct from new.recover_to) execute function forget()`,
    );
    expect((await app.call("POST", `/v1/webhooks/${id}/recover`, { body: { since } })).status).toBe(202);
    await when(id, (rows) => expect(rows).toMatchObject([{ event_id: kept.event_id, state: "delivered" }]));
    await app.pool.query("drop function forget cascade");
    expect(receiver.at(path)).toHaveLength(3);
  });

  it("gets by recovery also what was given up long before", async () => {
    await machine();
    const { path, id } = await endpoint({ status: 500 });
    await dispatch(2);
    await when(id, (rows) => expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]));
    await app.pool.query("update deliveries set state = 'failed', finished_at = now() where webhook_id = $1", [id]);
    replies.delete(path);
    for (const state of ["paused", "enabled"]) await app.call("PATCH", `/v1/webhooks/${id}`, { body: { state } });
    await app.pool.query("update webhooks set missed_since = now() + interval '1 hour' where id = $1", [id]); // the pause came after all events
    await app.call("POST", `/v1/webhooks/${id}/recover`, { body: {} });
    await when(id, (rows) => expect(rows.map(({ state }) => state)).toEqual(["delivered", "delivered"]));
  });
});
