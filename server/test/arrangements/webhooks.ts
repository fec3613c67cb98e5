import { expect, vi } from "vitest";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

/** An endpoint on this machine, where nothing listens. */
const body = (environment: Environment) => ({
  url: environment === "development" ? "http://127.0.0.1:9/hook" : "https://hooks.invalid/hook",
  events: ["task.*"],
});

const created = async (app: TestApp, environment: Environment): Promise<string> =>
  (await app.call("POST", "/v1/webhooks", { environment, body: body(environment) })).body.webhook_id;

const endpoint =
  (sent?: object): Arrange =>
  async (app, environment) => ({ params: { webhook: await created(app, environment) }, ...(sent && { body: sent }) });

const delivery =
  (sent?: object): Arrange =>
  async (app, environment) => {
    const webhook = await created(app, environment);
    const sample = await app.call("POST", `/v1/webhooks/${webhook}/test`, { environment, body: {} });
    return { params: { webhook, delivery: sample.body.delivery_id }, ...(sent && { body: sent }) };
  };

/** An event that has its sequence. */
const event: Arrange = async (app, environment) => {
  const { task_id } = await app.dispatch({}, { environment });
  const find = () => app.pool.query("select event_id from event_positions where task_id = $1 limit 1", [task_id]);
  await vi.waitFor(async () => expect((await find()).rowCount).toBe(1), { timeout: 20_000, interval: 20 });
  return { params: { event: (await find()).rows[0].event_id } };
};

export const arrange: Arrangements = {
  "webhooks.listWebhooks": nothing,
  "webhooks.createWebhook": async (_app, environment) => ({ params: {}, body: body(environment) }),
  "webhooks.readWebhook": endpoint(),
  "webhooks.changeWebhook": endpoint({ description: "Changed.", state: "paused" }),
  "webhooks.removeWebhook": endpoint({}),
  "webhooks.rotateSecret": endpoint({}),
  "webhooks.recover": endpoint({ since: new Date(Date.now() - 86_400_000).toISOString() }),
  "webhooks.testWebhook": endpoint({}),
  "webhooks.listDeliveries": endpoint(),
  "webhooks.readDelivery": delivery(),
  "webhooks.retryDelivery": delivery({}),
  "webhooks.listEventTypes": nothing,
  "webhooks.listEvents": nothing,
  "webhooks.readEvent": event,
  "webhooks.streamEvents": nothing,
};
