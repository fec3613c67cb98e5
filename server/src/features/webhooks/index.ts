import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import { changeWebhook } from "./operations/change-webhook.ts";
import { createWebhook } from "./operations/create-webhook.ts";
import { disableWebhook } from "./operations/disable-webhook.ts";
import { listDeliveries } from "./operations/list-deliveries.ts";
import { listEventTypes } from "./operations/list-event-types.ts";
import { listEvents } from "./operations/list-events.ts";
import { listWebhooks } from "./operations/list-webhooks.ts";
import { readDelivery } from "./operations/read-delivery.ts";
import { readEvent } from "./operations/read-event.ts";
import { readWebhook } from "./operations/read-webhook.ts";
import { recover } from "./operations/recover.ts";
import { removeWebhook } from "./operations/remove-webhook.ts";
import { retryDelivery } from "./operations/retry-delivery.ts";
import { rotateSecret } from "./operations/rotate-secret.ts";
import { streamEvents } from "./operations/stream-events.ts";
import { testWebhook } from "./operations/test-webhook.ts";
import type { EventFeedPort, WebhookPort } from "./ports.ts";
import { webhookFacts } from "./store.ts";
import { tidyDeliveries } from "./sweep.ts";

export { createEventFeed } from "./event-feed.ts";
export { createJobs } from "./jobs.ts";
export { type DisableWebhook, disableWebhook } from "./operations/disable-webhook.ts";
export type { EventFeedPort, WebhookPort } from "./ports.ts";

/** The operations of this slice, over the way out and the feed of events. */
export function createOperations(port: WebhookPort, feed: EventFeedPort): readonly Operation[] {
  return [
    listWebhooks,
    createWebhook(port),
    readWebhook,
    changeWebhook(port),
    removeWebhook,
    rotateSecret(port),
    recover,
    testWebhook,
    listDeliveries,
    readDelivery,
    retryDelivery,
    listEventTypes,
    listEvents,
    readEvent,
    streamEvents(feed),
    disableWebhook,
  ];
}

export const facts: readonly FactSet<unknown>[] = [webhookFacts];
export const sweeps: readonly Sweep[] = [tidyDeliveries];
