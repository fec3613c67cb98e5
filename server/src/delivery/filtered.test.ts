import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { useApp } from "../testing/app.ts";
import { stoppedClock, useDeliveries } from "../testing/delivery.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";

const app = useApp();
const machine = useDeliveries(app);
let receiver: Receiver;
/** Paths that answer 500. */
const broken = new Set<string>();
beforeAll(async () => {
  receiver = await startReceiver(({ path }) => ({ status: broken.has(path) ? 500 : 204 }));
});
afterAll(() => receiver.close());

let made = 0;
async function endpoint(body: object = {}) {
  const path = `/filtered-${++made}`;
  const created = await app.call("POST", "/v1/webhooks", {
    body: { url: receiver.url + path, events: ["*"], ...body },
  });
  return { path, id: created.body.webhook_id as string };
}
const narrowed = async (agent: string): Promise<string> =>
  (await app.call("POST", "/v1/admin/keys", { body: { name: "narrowed", role: "builder", agents: [agent] } })).body.key;
async function revoke(): Promise<void> {
  const { body } = await app.call("POST", "/v1/admin/keys", { body: { name: "gone", role: "viewer" } });
  await app.call("DELETE", `/v1/admin/keys/${body.key_id}`, { body: {} });
}
const change = (id: string, body: object, key = "admin") => app.call("PATCH", `/v1/webhooks/${id}`, { body, key });
/** Something happens that concerns no agent. */
const elsewhere = () =>
  app.call("POST", "/v1/governance/kill-switch", {
    body: { kind: "tool", target: `tool_${++made}`, mode: "stop", reason: "A test.", allow_unknown: true },
  });

interface Row {
  id: string;
  type: string;
  state: string;
  attempts: number;
  last_error: string | null;
  claimed_by: string | null;
}
const rowsOf = async (id: string): Promise<Row[]> =>
  (
    await app.pool.query(
      "select id, type, state, attempts, last_error, claimed_by from deliveries where webhook_id = $1 order by id",
      [id],
    )
  ).rows;
/** Waits until the deliveries to an endpoint are as a test wants them. */
const when = (id: string, hold: (rows: Row[]) => void) =>
  vi.waitFor(async () => hold(await rowsOf(id)), { timeout: 25_000, interval: 15 });
const told = (path: string): string[] => receiver.at(path).map(({ body }) => JSON.parse(body).event);
const ended = { state: "cancelled", attempts: 0, last_error: "filtered", claimed_by: null };

describe("what waits for an endpoint that is changed", () => {
  it("is cancelled with the change where whoever set a new address may not read it, and the rest goes there", async () => {
    await machine({ clock: stoppedClock() }); // of a rate of 1, one goes out and no more
    const { id, path } = await endpoint({ rate_per_second: 1, events: ["key.revoked", "task.created"] });
    for (const _each of [1, 2, 3]) await revoke();
    await app.dispatch();
    await when(id, (rows) =>
      expect(rows.map(({ state }) => state).sort()).toEqual(["delivered", "pending", "pending", "pending"]),
    );
    expect(told(path)).toEqual(["key.revoked"]);
    await change(id, { url: `${receiver.url + path}-theirs`, rate_per_second: null }, "builder");
    expect((await rowsOf(id)).filter(({ type, attempts }) => type === "key.revoked" && attempts === 0)).toMatchObject([
      ended,
      ended,
    ]);
    await when(id, (rows) => expect(rows.filter(({ state }) => state === "pending")).toEqual([]));
    expect(told(`${path}-theirs`)).toEqual(["task.created"]);
  });

  it("is cancelled with the change where it concerns agents, work or events that the endpoint gets no more", async () => {
    await machine({ clock: stoppedClock() });
    const { id } = await endpoint({ rate_per_second: 1 });
    await app.dispatch();
    await elsewhere();
    await when(id, (rows) => {
      expect(rows.length).toBeGreaterThanOrEqual(3);
      expect(rows.filter(({ state }) => state === "delivered")).toHaveLength(1); // no more can go out
    });
    const waiting = async () => (await rowsOf(id)).filter(({ state }) => state === "pending").map(({ type }) => type);
    const before = await waiting();
    await change(id, { agents: ["sales"], risks: ["high"] });
    expect(await waiting()).toEqual(before.filter((type) => type.startsWith("task.")));
    await change(id, { risks: ["low"] });
    expect(await waiting()).toEqual([]);
    const other = await endpoint({ rate_per_second: 1, events: ["task.*"] });
    await app.dispatch();
    await app.dispatch();
    await when(other.id, (rows) =>
      expect(rows.map(({ state }) => state).sort()).toEqual(["delivered", "pending", "pending", "pending"]),
    );
    await change(other.id, { events: ["task.created"] });
    const left = (await rowsOf(other.id)).filter(({ attempts }) => attempts === 0);
    expect(left.every(({ type, state }) => (type === "task.created") === (state === "pending"))).toBe(true);
    expect(left.some(({ state }) => state === "pending") && left.some(({ state }) => state === "cancelled")).toBe(true);
  });

  it("is not sent either where it was made, or given back, by a process that knew the endpoint as it was", async () => {
    const clock = stoppedClock();
    await machine({ clock });
    const { id, path } = await endpoint({ events: ["key.revoked", "task.created"] });
    broken.add(path);
    await revoke();
    await when(id, (rows) => expect(rows).toMatchObject([{ state: "pending", attempts: 1, last_error: "status" }]));
    await change(id, { url: `${receiver.url + path}-theirs` }, "builder");
    await app.dispatch();
    await receiver.until(`${path}-theirs`, 1); // by now the machine knows the change
    await app.pool.query(
      "update deliveries set state = 'pending', last_error = 'status', finished_at = null, next_at = $2 where webhook_id = $1 and type like 'key.%'",
      [id, new Date(clock.now())],
    );
    await when(id, (rows) =>
      expect(rows.find(({ type }) => type === "key.revoked")).toMatchObject({ ...ended, attempts: 1 }),
    );
    await app.dispatch();
    await receiver.until(`${path}-theirs`, 2);
    expect(told(`${path}-theirs`)).toEqual(["task.created", "task.created"]);
  });

  it("is sent after all where the endpoint gets such events again and recovers them", async () => {
    await machine({ clock: stoppedClock() });
    const { id, path } = await endpoint({ rate_per_second: 1, events: ["task.created"] });
    const since = new Date(Date.now() - 1_000).toISOString();
    await app.dispatch();
    await app.dispatch();
    await when(id, (rows) => expect(rows.map(({ attempts }) => attempts).sort()).toEqual([0, 1]));
    await change(id, { agents: ["desk"] });
    expect((await rowsOf(id)).filter(({ attempts }) => attempts === 0)).toMatchObject([ended]);
    await change(id, { agents: ["sales"], rate_per_second: null });
    await app.call("POST", `/v1/webhooks/${id}/recover`, { body: { since } });
    await receiver.until(path, 2);
  });
});

describe("deliveries from when an endpoint was bound to other agents, or to none", () => {
  it("are refused to a key that is narrowed to agents, and left out of its list", async () => {
    await machine();
    const { id, path } = await endpoint();
    await elsewhere();
    await app.dispatch();
    await receiver.until(path, 3);
    const key = await narrowed("sales");
    await change(id, { agents: ["sales"] });
    const sample = (await app.call("POST", `/v1/webhooks/${id}/test`, { body: {}, key })).body.delivery_id as string;
    const rows = await rowsOf(id);
    const own = rows.filter(({ type }) => type.startsWith("task.")).map(({ id: delivery }) => delivery);
    const foreign = rows.filter(({ type }) => type.startsWith("kill_switch.")).map(({ id: delivery }) => delivery);
    expect([own.length, foreign.length]).toEqual([2, 1]);
    const at = (delivery: string) => `/v1/webhooks/${id}/deliveries/${delivery}`;
    const listed = (await app.call("GET", `/v1/webhooks/${id}/deliveries`, { key })).body.data;
    expect(listed.map(({ delivery_id }: { delivery_id: string }) => delivery_id).sort()).toEqual(
      [...own, sample].sort(),
    );
    const read = await Promise.all([...own, sample, ...foreign].map((one) => app.call("GET", at(one), { key })));
    expect(read.map(({ status }) => status)).toEqual([200, 200, 200, 403]);
    expect(read.at(-1)?.body.missing_scope).toBe("agent:*");
    const retried = await Promise.all(
      [...own, ...foreign].map((one) => app.call("POST", `${at(one)}/retry`, { body: {}, key })),
    );
    expect(retried.map(({ status }) => status)).toEqual([202, 202, 403]);
    expect((await app.call("GET", at(foreign[0] as string))).body.request_body).toContain("kill_switch.engaged");
    await change(id, { agents: ["desk"] });
    const other = await narrowed("desk");
    expect((await app.call("GET", `/v1/webhooks/${id}/deliveries`, { key: other })).body.data).toMatchObject([
      { delivery_id: sample },
    ]);
    const refused = await app.call("GET", at(own[0] as string), { key: other });
    expect([refused.status, refused.body.missing_scope]).toEqual([403, "agent:sales"]);
  });

  it("are not sent again, whoever asks for it, until the endpoint gets such events", async () => {
    await machine();
    const { id, path } = await endpoint({ events: ["key.revoked"] });
    await revoke();
    await receiver.until(path, 1);
    const retry = async () =>
      app.call("POST", `/v1/webhooks/${id}/deliveries/${(await rowsOf(id))[0]?.id}/retry`, { body: {} });
    await change(id, { url: `${receiver.url + path}-theirs` }, "builder");
    const { status, body } = await retry();
    expect([status, body.code]).toEqual([409, "wrong_state"]);
    await change(id, { url: `${receiver.url + path}-ours` });
    expect((await retry()).status).toBe(202);
    await receiver.until(`${path}-ours`, 1);
  });
});
