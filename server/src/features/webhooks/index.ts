export { createEventFeed } from "./event-feed.ts";
export { type DisableWebhook, disableWebhook } from "./operations/disable-webhook.ts";
export { lookAtOwners } from "./owners.ts";
export type { EventFeedPort, WebhookPort } from "./ports.ts";
