import { exempt } from "../../kernel/operation.ts";
import { defineSlice } from "../../kernel/slice.ts";
import { deliveryRetention, dueJob, tidyDeliveries } from "./deliveries/sweeps.ts";
import { webhookFacts } from "./endpoints/resource.ts";
import { webhookPort } from "./ports.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    dlv: "deliveries";
    whk: "webhook endpoints";
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
        ({ port }) =>
        async () =>
          port(webhookPort).due(),
    },
  ],
});
