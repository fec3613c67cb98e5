import { Type } from "typebox";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleWebhook } from "../example.ts";
import { Webhook, WebhookId } from "../schemas.ts";
import { findWebhook } from "../store.ts";
import { webhookRevision, webhookView } from "../view.ts";

export const readWebhook = defineRead({
  id: "webhooks.readWebhook",
  path: "/v1/webhooks/{webhook}",
  listed: true,
  summary: "Read an endpoint",
  description:
    "With its health: last success, since when it fails, what waits, and why it is disabled. Never its secret.",
  params: Type.Object({ webhook: WebhookId }),
  output: Webhook,
  example: { params: { webhook: exampleWebhook.webhook_id }, output: exampleWebhook },
  revision: webhookRevision,
  revisionOfPart: true,
  permission: "webhooks:read",
  load: (ctx, { webhook }) => findWebhook(ctx, webhook),
  compliance: governs("webhook.read"),
  audit: ({ params }) => `webhook:${params.webhook}`,
  handle: (ctx, { loaded }) => webhookView(loaded, ctx.now),
});
