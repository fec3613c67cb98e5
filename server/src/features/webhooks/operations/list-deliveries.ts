import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList, createdRange } from "../../../kernel/schema-words.ts";
import { listDeliveryRows } from "../delivery-store.ts";
import { exampleDelivery, exampleWebhook } from "../example.ts";
import { knownEvents, namesOf } from "../model.ts";
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
    "Newest first: what was sent or waits to be, how often it was attempted, and what came of the last attempt. An event that is not among them was not meant for it, or came while it was paused or disabled (`missed_since`; `recover` sends those); one with `attempts: 0` was not sent yet; else " +
    "`last_status` and `last_error` tell what the endpoint made of it.",
  params: Type.Object({ webhook: WebhookId }),
  filters,
  item: Delivery,
  example: { params: { webhook: exampleWebhook.webhook_id }, item: exampleDelivery },
  permission: "webhooks:read",
  load: (ctx, { webhook }) => findWebhook(ctx, webhook),
  compliance: governs("webhook.read"),
  audit: ({ params }) => `webhook:${params.webhook}`,
  read: (ctx, { event, ...filter }, page, { id }) =>
    listDeliveryRows(ctx, id, { ...filter, ...(event && { types: namesOf(knownEvents(event)) }) }, page),
  position: ({ id }) => id,
  view: (row, ctx) => deliveryView(row, ctx.now),
});
