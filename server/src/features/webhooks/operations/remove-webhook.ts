import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleWebhook } from "../example.ts";
import { lockLoaded } from "../load.ts";
import { RemovedWebhook, WebhookId } from "../schemas.ts";
import { endWebhook, findWebhook, type WebhookRow, webhookFacts } from "../store.ts";
import { webhookRevision } from "../view.ts";

export const removeWebhook = defineOperation({
  id: "webhooks.removeWebhook",
  method: "DELETE",
  path: "/v1/webhooks/{webhook}",
  listed: true,
  summary: "Remove an endpoint",
  description:
    "Nothing more is sent to it, and its secret is deleted. Events that it did not receive stay in the event log.",
  params: Type.Object({ webhook: WebhookId }),
  output: RemovedWebhook,
  example: {
    params: { webhook: exampleWebhook.webhook_id },
    output: { webhook_id: exampleWebhook.webhook_id, removed: true },
  },
  mayMatch: (loaded: WebhookRow) => webhookRevision(loaded),
  permission: "webhooks:write",
  load: (ctx, { webhook }) => findWebhook(ctx, webhook),
  gate: exempt("makes no agent act"),
  decides: exempt("endpoints receive events and give agents nothing"),
  compliance: governs("webhook.remove"),
  audit: ({ params }) => `webhook:${params.webhook}`,
  async handle(ctx, { loaded }) {
    await lockLoaded(ctx, loaded);
    await endWebhook(ctx, loaded.id);
    ctx.touch(webhookFacts);
    return { webhook_id: loaded.id, removed: true as const };
  },
});
