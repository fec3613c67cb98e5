// What other slices may ask of webhooks.

export { disabledWebhooks } from "./inbox.ts";
export { standingWebhook } from "./webhook-kind.ts";
