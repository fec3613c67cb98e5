import { webhooks } from "../resource.ts";

export const readWebhook = webhooks.readOperation({
  id: "webhooks.readWebhook",
  listed: true,
  summary: "Read an endpoint",
  description:
    "With its health: last success, since when it fails, what waits, and why it is disabled. Never its secret.",
});
