import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { notFound } from "../../../kernel/problems.ts";
import { exampleWebhook } from "../example.ts";
import { RemovedWebhook, WebhookId } from "../schemas.ts";
import { endWebhook, findWebhook, lockWebhook, type WebhookRow, webhookFacts } from "../store.ts";
import { webhookRevision } from "../view.ts";

export const removeWebhook = defineOperation({
  id: "webhooks.removeWebhook",
  method: "DELETE",
  path: "/v1/webhooks/{webhook}",
  listed: true,
  summary: "Remove an endpoint",
  description:
    "Nothing more is sent to it, and its secret is destroyed. Events that it did not receive stay readable in the event log.",
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
  compliance: governs("webhook.remove"),
  audit: ({ params }) => `webhook:${params.webhook}`,
  async handle(ctx, { loaded }) {
    const webhook = await lockWebhook(ctx, loaded.id);
    if (!webhook) throw refuse(notFound, "The endpoint was removed in this moment.");
    if (ctx.basedOnLoaded && webhookRevision(webhook) !== webhookRevision(loaded)) throw changedMeanwhile();
    await endWebhook(ctx, loaded.id);
    ctx.touch(webhookFacts);
    return { webhook_id: loaded.id, removed: true as const };
  },
});
