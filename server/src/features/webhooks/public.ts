// What other slices may ask of webhooks.

export { standingWebhook } from "./webhook-kind.ts";
