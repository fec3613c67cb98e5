export { createEventFeed } from "./event-feed.ts";
export { type DisableWebhook, disableWebhook } from "./operations/disable-webhook.ts";
export type { EventFeedPort, WebhookPort } from "./ports.ts";
