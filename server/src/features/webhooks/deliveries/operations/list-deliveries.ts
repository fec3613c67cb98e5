import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList, createdRange } from "../../../../kernel/schema-words.ts";
import { webhooks } from "../../endpoints/resource.ts";
import { exampleDelivery, exampleWebhook } from "../../example.ts";
import { Delivery, DeliveryStateName, EventId } from "../../schemas.ts";
import { deliveryView } from "../../view.ts";
import { listDeliveryRows } from "../store.ts";

const filters = {
  state: commaList(DeliveryStateName, "States"),
  event: commaList(Type.String(), "Events, by name or group (`task.*`)"),
  event_id: Type.Optional(EventId),
  ...createdRange,
};

export const listDeliveries = defineList({
  ...webhooks.one,
  id: "webhooks.listDeliveries",
  path: "/v1/webhooks/{webhook}/deliveries",
  summary: "List deliveries to an endpoint",
  description:
    "Newest first, with the number of attempts and the result of the last one (`last_status`, `last_error`). An event that is missing did not match the endpoint's filters, or happened while it was paused or disabled (`missed_since`): `recover` sends those.",
  filters,
  item: Delivery,
  example: { params: { webhook: exampleWebhook.webhook_id }, item: exampleDelivery },
  permission: "webhooks:read",
  compliance: governs("webhook.read"),
  read: (ctx, filter, page, { id }) => listDeliveryRows(ctx, id, filter, page),
  position: ({ id }) => id,
  view: (row, ctx) => deliveryView(row, ctx.now),
});
