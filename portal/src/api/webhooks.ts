import { type Answer, type ChangeInput, type GetQuery, send } from "./client.ts";
import { read } from "./queries.ts";

export type Webhook = Answer<"/v1/webhooks/{webhook}">;
export type Delivery = Answer<"/v1/webhooks/{webhook}/deliveries">["data"][number];

export const listWebhooks = (filter: GetQuery<"/v1/webhooks">) => read("/v1/webhooks", { query: filter });
export const readWebhook = (webhook: string) => read("/v1/webhooks/{webhook}", { path: { webhook } });
export const listEventTypes = () => ({ ...read("/v1/webhooks/event-types", {}), staleTime: Number.POSITIVE_INFINITY });
export const listDeliveries = (webhook: string, filter: GetQuery<"/v1/webhooks/{webhook}/deliveries">) =>
  read("/v1/webhooks/{webhook}/deliveries", { path: { webhook }, query: filter });
/** One delivery with what was sent and every attempt. */
export const readDelivery = (webhook: string, delivery: string) =>
  read("/v1/webhooks/{webhook}/deliveries/{delivery}", { path: { webhook, delivery } });

/** Subscribes an endpoint; the answer is the only one that ever holds its secret. */
export const createWebhook = (body: ChangeInput<"post", "/v1/webhooks">["body"]) =>
  send("post", "/v1/webhooks", { body });
export const changeWebhook = ({
  webhook,
  ...body
}: { webhook: string } & ChangeInput<"patch", "/v1/webhooks/{webhook}">["body"]) =>
  send("patch", "/v1/webhooks/{webhook}", { path: { webhook }, body });
export const removeWebhook = (webhook: string) => send("delete", "/v1/webhooks/{webhook}", { path: { webhook } });
/** Sends a sample of an event. */
export const testWebhook = ({ webhook, event }: { webhook: string; event: string }) =>
  send("post", "/v1/webhooks/{webhook}/test", { path: { webhook }, body: { event } });
/** Sends again what was missed or failed since a time; null: since the endpoint was paused or disabled. */
export const recoverWebhook = ({ webhook, since }: { webhook: string; since: string | null }) =>
  send("post", "/v1/webhooks/{webhook}/recover", { path: { webhook }, body: since === null ? {} : { since } });
/** A new secret; deliveries carry signatures of both for a day. */
export const rotateSecret = (webhook: string) =>
  send("post", "/v1/webhooks/{webhook}/rotate-secret", { path: { webhook }, body: {} });
export const retryDelivery = ({ webhook, delivery }: { webhook: string; delivery: string }) =>
  send("post", "/v1/webhooks/{webhook}/deliveries/{delivery}/retry", { path: { webhook, delivery } });
