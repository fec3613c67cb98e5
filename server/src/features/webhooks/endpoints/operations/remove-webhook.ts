import { RemovedWebhook } from "../../schemas.ts";
import { lockLoaded } from "../load.ts";
import { webhooks } from "../resource.ts";
import { endWebhook } from "../store.ts";
import { webhookRevision } from "../view.ts";

export const removeWebhook = webhooks.removeOperation({
  id: "webhooks.removeWebhook",
  listed: true,
  summary: "Remove an endpoint",
  description:
    "Nothing more is sent to it, and its secret is deleted. Events that it did not receive stay in the event log.",
  output: RemovedWebhook,
  mayMatch: webhookRevision,
  async remove(ctx, row) {
    await lockLoaded(ctx, row);
    await endWebhook(ctx, row.id);
  },
});
