import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { exampleWebhook } from "../example.ts";
import { Webhook, webhookStates } from "../schemas.ts";
import { listWebhookRows } from "../store.ts";
import { webhookView } from "../view.ts";

export const listWebhooks = defineList({
  id: "webhooks.listWebhooks",
  path: "/v1/webhooks",
  listed: true,
  summary: "List endpoints",
  description:
    "The endpoints of this environment, newest first, with their health. A key that is narrowed to agents sees those that are bound to no others.",
  filters: { state: commaList(Type.Enum(webhookStates), "States") },
  item: Webhook,
  example: { item: exampleWebhook },
  permission: "webhooks:read",
  narrowing: limitedTo("lists endpoints that are bound to the key's agents"),
  compliance: governs("webhook.read"),
  audit: "webhooks",
  read: (ctx, { state }, page) => listWebhookRows(ctx, state, page),
  position: ({ id }) => id,
  view: (row, ctx) => webhookView(row, ctx.now),
});
