export { type DisableWebhook, disableWebhook } from "./endpoints/operations/disable-webhook.ts";
export { lookAtOwners } from "./endpoints/owners.ts";
export { createEventFeed } from "./events/feed.ts";
export type { EventFeedPort, WebhookPort } from "./ports.ts";
