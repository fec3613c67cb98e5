import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { filteredEvent, passesFilter } from "../../../kernel/event-filter.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { type DeliveryRow, findDelivery, restartDelivery } from "../delivery-store.ts";
import { exampleDelivery, exampleSent, exampleWebhook } from "../example.ts";
import { dueJob } from "../jobs.ts";
import { loadDelivery } from "../load.ts";
import { Delivery, DeliveryId, WebhookId } from "../schemas.ts";
import { deliveryView } from "../view.ts";

export const retryDelivery = defineOperation({
  id: "webhooks.retryDelivery",
  method: "POST",
  path: "/v1/webhooks/{webhook}/deliveries/{delivery}/retry",
  status: 202,
  summary: "Send a delivery again",
  description:
    "At once, under the same `webhook-id`, also one that was taken; where that fails, the schedule of attempts begins anew. One of an event that the endpoint no longer gets is refused. While an attempt runs it is left as it is.",
  params: Type.Object({ webhook: WebhookId, delivery: DeliveryId }),
  output: Delivery,
  location: ({ webhook_id, delivery_id }) => `/v1/webhooks/${webhook_id}/deliveries/${delivery_id}`,
  example: {
    params: { webhook: exampleWebhook.webhook_id, delivery: exampleDelivery.delivery_id },
    output: { ...exampleSent, attempts: 1, last_status: 500, last_error: "status" },
  },
  permission: "webhooks:write",
  load: (ctx, params) => loadDelivery(ctx, params),
  gate: exempt("makes no agent act"),
  compliance: governs("webhook.retry"),
  audit: ({ params }) => `delivery:${params.delivery}`,
  errors: [conflict],
  async handle(ctx, { loaded: { webhook, delivery, event } }) {
    if (webhook.state !== "enabled")
      throw refuse(conflict, `The endpoint is ${webhook.state}: enable it with PATCH first.`);
    if (event && !passesFilter(webhook, filteredEvent(event.type, event.body, event.risk))) {
      throw refuse(
        conflict,
        "The endpoint's events, agents, risks or what is withheld from it leave this event out by now: change them first.",
      );
    }
    await restartDelivery(ctx, webhook.id, delivery.id);
    ctx.enqueue(dueJob);
    return deliveryView((await findDelivery(ctx, webhook.id, delivery.id)) as DeliveryRow, ctx.now);
  },
});
