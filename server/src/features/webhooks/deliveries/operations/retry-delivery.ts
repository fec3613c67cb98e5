import { Type } from "typebox";
import { sightOfEndpoint } from "../../../../db/endpoint-sight.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { filteredEvent, passesFilter } from "../../../../kernel/event-filter.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { loadDelivery } from "../../endpoints/load.ts";
import { exampleDelivery, exampleSent, exampleWebhook } from "../../example.ts";
import { Delivery, DeliveryId, WebhookId } from "../../schemas.ts";
import { deliveryView } from "../../view.ts";
import { type DeliveryRow, findDelivery, restartDelivery } from "../store.ts";
import { dueJob } from "../sweeps.ts";

export const retryDelivery = defineOperation({
  id: "webhooks.retryDelivery",
  method: "POST",
  path: "/v1/webhooks/{webhook}/deliveries/{delivery}/retry",
  status: 202,
  summary: "Send a delivery again",
  description:
    "Sends it at once with the same `webhook-id`, even if it was delivered before; if that fails, the schedule of attempts starts again. Refused if the endpoint no longer gets the event. Does nothing while an attempt runs.",
  params: Type.Object({ webhook: WebhookId, delivery: DeliveryId }),
  output: Delivery,
  location: ({ webhook_id, delivery_id }) => `/v1/webhooks/${webhook_id}/deliveries/${delivery_id}`,
  example: {
    params: { webhook: exampleWebhook.webhook_id, delivery: exampleDelivery.delivery_id },
    output: { ...exampleSent, attempts: 1, last_status: 500, last_error: "status" },
  },
  permission: "webhooks:write",
  load: loadDelivery,
  gate: exempt("makes no agent act"),
  decides: exempt("endpoints receive events and give agents nothing"),
  compliance: governs("webhook.retry"),
  audit: ({ params }) => `delivery:${params.delivery}`,
  errors: [conflict],
  async handle(ctx, { loaded: { webhook, delivery, event } }) {
    if (webhook.state !== "enabled")
      throw refuse(conflict, `The endpoint is ${webhook.state}: enable it with PATCH first.`);
    if (event && !passesFilter({ ...webhook, ...sightOfEndpoint(webhook) }, filteredEvent(event))) {
      const detail = "The endpoint's events, agents, risks or permissions now exclude this event: change them first.";
      throw refuse(conflict, detail);
    }
    const restarted = await restartDelivery(ctx, webhook.id, delivery.id);
    ctx.enqueue(dueJob);
    return deliveryView(restarted ?? ((await findDelivery(ctx, webhook.id, delivery.id)) as DeliveryRow), ctx.now);
  },
});
