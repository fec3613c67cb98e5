import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList, createdRange } from "../../../kernel/schema-words.ts";
import { listDeliveryRows } from "../delivery-store.ts";
import { exampleDelivery, exampleWebhook } from "../example.ts";
import { Delivery, DeliveryStateName, EventId, WebhookId } from "../schemas.ts";
import { findWebhook } from "../store.ts";
import { deliveryView } from "../view.ts";

const filters = {
  state: commaList(DeliveryStateName, "States"),
  event: commaList(Type.String(), "Events, by name or group (`task.*`)"),
  event_id: Type.Optional(EventId),
  ...createdRange,
};

export const listDeliveries = defineList({
  id: "webhooks.listDeliveries",
  path: "/v1/webhooks/{webhook}/deliveries",
  summary: "List deliveries to an endpoint",
  description:
    "Newest first, with the number of attempts and the result of the last one (`last_status`, `last_error`). An event that is missing did not match the endpoint's filters, or happened while it was paused or disabled (`missed_since`): `recover` sends those.",
  params: Type.Object({ webhook: WebhookId }),
  filters,
  item: Delivery,
  example: { params: { webhook: exampleWebhook.webhook_id }, item: exampleDelivery },
  permission: "webhooks:read",
  load: (ctx, { webhook }) => findWebhook(ctx, webhook),
  compliance: governs("webhook.read"),
  audit: ({ params }) => `webhook:${params.webhook}`,
  read: (ctx, filter, page, { id }) => listDeliveryRows(ctx, id, filter, page),
  position: ({ id }) => id,
  view: (row, ctx) => deliveryView(row, ctx.now),
});
