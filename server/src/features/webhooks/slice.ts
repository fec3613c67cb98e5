import { exempt } from "../../kernel/operation.ts";
import { defineSlice } from "../../kernel/slice.ts";
import { deliveryRetention, dueJob, tidyDeliveries } from "./jobs.ts";
import type { EventFeedPort, WebhookPort } from "./ports.ts";
import * as schemas from "./schemas.ts";
import { webhookFacts } from "./store.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    dlv: "deliveries";
    whk: "webhook endpoints";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly webhooks: WebhookPort;
    readonly events: EventFeedPort;
  }
}

export const slice = defineSlice({
  about: "Endpoints that receive events, and the events themselves.",
  schemas,
  actions: {
    "event.read": {},
    "webhook.change": {},
    "webhook.create": {},
    "webhook.read": {},
    "webhook.recover": {},
    "webhook.remove": {},
    "webhook.retry": {},
    "webhook.rotate": {},
    "webhook.test": {},
  },
  facts: [webhookFacts],
  sweeps: [tidyDeliveries, deliveryRetention],
  jobs: [
    {
      name: dueJob.task,
      sweep: exempt("every delivery worker looks for what is due by itself"),
      handler:
        (_parts, { webhooks }) =>
        async () =>
          webhooks.due(),
    },
  ],
});
