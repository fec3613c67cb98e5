import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { loadDelivery } from "../../endpoints/load.ts";
import { exampleDelivery, exampleDetail, exampleWebhook } from "../../example.ts";
import { DeliveryDetail, DeliveryId, WebhookId } from "../../schemas.ts";
import { deliveryDetail } from "../../view.ts";
import { listAttempts } from "../store.ts";

/** Most attempts shown. */
const shown = 100;

export const readDelivery = defineRead({
  id: "webhooks.readDelivery",
  path: "/v1/webhooks/{webhook}/deliveries/{delivery}",
  summary: "Read a delivery with its attempts",
  description:
    "What was sent, and the time, latency, status, class of error and beginning of the response of every attempt.",
  params: Type.Object({ webhook: WebhookId, delivery: DeliveryId }),
  output: DeliveryDetail,
  example: {
    params: { webhook: exampleWebhook.webhook_id, delivery: exampleDelivery.delivery_id },
    output: exampleDetail,
  },
  permission: "webhooks:read",
  load: loadDelivery,
  compliance: governs("webhook.read"),
  audit: ({ params }) => `delivery:${params.delivery}`,
  async handle(ctx, { loaded: { webhook, delivery, event } }) {
    const attempts = await listAttempts(ctx, delivery.id, shown);
    return deliveryDetail(delivery, { webhook, event, attempts, environment: ctx.scope.environment, now: ctx.now });
  },
});
