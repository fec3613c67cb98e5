import { expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { deleteOldDeliveries } from "./store.ts";
import { deliveryRetention } from "./sweeps.ts";

const app = useApp();
const process = useWorkerProcess(app);
const dayMs = 86_400_000;

const createWebhook = async (): Promise<string> => {
  const body = { url: "http://127.0.0.1:9/hook", events: ["task.*"] };
  return (await app.call("POST", "/v1/webhooks", { body })).body.webhook_id;
};

/** A delivery that was made, and unless it is pending ended, so many days ago. Returns its id. */
async function plant(webhook: string, days: number, state: string): Promise<string> {
  const at = Date.now() - days * dayMs;
  const id = lowestId("dlv", at).replace(/0{16}$/, () => String(days).padStart(16, "0"));
  const ended = state === "pending" ? null : new Date(at);
  await app.pool.query(
    `insert into deliveries (organization, environment, webhook_id, id, event_id, type, state, next_at, created_at, finished_at)
     values ('default', 'development', $1, $2, $3, 'task.created', $4, $5, $5, $6)`,
    [webhook, id, `evt_${days}`, state, new Date(at), ended],
  );
  await app.pool.query(
    `insert into delivery_attempts (organization, environment, delivery_id, number, started_at, url, format, signature)
     values ('default', 'development', $1, 1, $2, 'http://127.0.0.1:9/hook', 'flat', '')`,
    [id, new Date(at)],
  );
  return id;
}

/** Forgets what is older than 90 days, and from then on keeps for a year what there is. */
async function forgetThenKeep(): Promise<Date> {
  const before = new Date(Date.now() - 90 * dayMs);
  await deleteOldDeliveries(createReader(process.database.pool), app.scope, before);
  const body = { settings: { retention: { deliveries_days: 365 } } };
  const headers = { "if-match": (await app.call("GET", "/v1/admin/settings")).headers.get("etag") ?? "" };
  expect((await app.call("PATCH", "/v1/admin/settings", { body, headers })).status).toBe(200);
  return before;
}

it("deletes deliveries with their attempts when they have ended and are older than the environment keeps them", async () => {
  const webhook = await createWebhook();
  await plant(webhook, 92, "delivered");
  await plant(webhook, 91, "failed");
  const kept = [await plant(webhook, 93, "pending"), await plant(webhook, 89, "delivered")].sort();
  const parts = {
    db: createReader(process.database.pool),
    inside: process.inside,
    facts: app.app.facts,
    port: app.app.port,
  };
  await deliveryRetention.run({ ...parts, now: Date.now() + 3_600_000 });
  const ids = async (column: string, table: string) =>
    (await app.pool.query(`select ${column} as id from ${table} order by 1`)).rows.map(({ id }) => id);
  expect(await ids("id", "deliveries")).toEqual(kept);
  expect(await ids("delivery_id", "delivery_attempts")).toEqual(kept);
});

it("refuses to recover from a time of which deliveries are deleted, and names the setting", async () => {
  const since = new Date(Date.now() - 91 * dayMs).toISOString();
  const { status, body } = await app.call("POST", `/v1/webhooks/${await createWebhook()}/recover`, { body: { since } });
  expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]).toEqual([422, "/since", "too_early"]);
  expect(body.detail).toContain("retention.deliveries_days");
});

it("refuses to recover from a time of which deliveries were deleted before the setting was raised, where any were", async () => {
  const [webhook, other] = [await createWebhook(), await createWebhook()];
  await plant(webhook, 250, "delivered");
  const before = await forgetThenKeep();
  const recover = (id: string, days: number) =>
    app.call("POST", `/v1/webhooks/${id}/recover`, {
      body: { since: new Date(Date.now() - days * dayMs).toISOString() },
    });
  const { status, body } = await recover(webhook, 200);
  expect([status, body.errors?.[0]?.code]).toEqual([422, "too_early"]);
  expect(body.detail).toContain(before.toISOString());
  expect([(await recover(webhook, 89)).status, (await recover(other, 200)).status]).toEqual([202, 202]);
  await deleteOldDeliveries(createReader(process.database.pool), app.scope, new Date(0));
  expect((await recover(webhook, 200)).status).toBe(422); // the mark is never moved back
});

it("recovers without a time from where deliveries are kept, where the pause is older", async () => {
  const webhook = await createWebhook();
  await plant(webhook, 250, "delivered");
  const before = await forgetThenKeep();
  await app.pool.query("update webhooks set missed_since = now() - interval '200 days' where id = $1", [webhook]);
  const { status, body } = await app.call("POST", `/v1/webhooks/${webhook}/recover`, { body: {} });
  expect([status, body.since]).toEqual([202, before.toISOString()]);
});
