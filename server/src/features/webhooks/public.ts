// What other slices may ask of webhooks.

export { disabledWebhooks } from "./endpoints/inbox.ts";
export { standingWebhook } from "./endpoints/kind.ts";
