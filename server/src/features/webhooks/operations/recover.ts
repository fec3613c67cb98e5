import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict, invalidBody, notFound } from "../../../kernel/problems.ts";
import { beginRecovery, restartGivenUp } from "../delivery-store.ts";
import { exampleWebhook } from "../example.ts";
import { dueJob } from "../jobs.ts";
import { RecoverBody, Recovery, WebhookId } from "../schemas.ts";
import { findWebhook, lockWebhook, webhookFacts } from "../store.ts";

export const recover = defineOperation({
  id: "webhooks.recover",
  method: "POST",
  path: "/v1/webhooks/{webhook}/recover",
  status: 202,
  summary: "Send an endpoint what it missed",
  description:
    "Sends the events since a time that the endpoint wants now and has not taken: those that were given up, and those that were never sent because it was paused, disabled or did not exist. What it took is not sent again. " +
    "Without `since` it begins at `missed_since`, and everything that was given up before is sent too. " +
    "The endpoint's `recovering` says whether that goes on.",
  params: Type.Object({ webhook: WebhookId }),
  body: RecoverBody,
  output: Recovery,
  location: ({ webhook_id }) => `/v1/webhooks/${webhook_id}`,
  example: {
    params: { webhook: exampleWebhook.webhook_id },
    body: { since: "2026-11-20T08:00:00.000Z" },
    output: {
      webhook_id: exampleWebhook.webhook_id,
      since: "2026-11-20T08:00:00.000Z",
      after_sequence: 17,
      up_to_sequence: 42,
    },
  },
  permission: "webhooks:write",
  load: (ctx, { webhook }) => findWebhook(ctx, webhook),
  gate: exempt("makes no agent act"),
  compliance: governs("webhook.recover"),
  audit: ({ params }) => `webhook:${params.webhook}`,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const webhook = await lockWebhook(ctx, loaded.id);
    if (!webhook) throw refuse(notFound, "The endpoint was removed in this moment.");
    if (webhook.state !== "enabled") {
      throw refuse(conflict, `The endpoint is ${webhook.state}: enable it with PATCH first, and then recover.`);
    }
    const since = body.since === undefined ? webhook.missed_since : new Date(body.since);
    if (since === null) {
      const detail =
        "is required: the endpoint was not paused or disabled since the last recovery, so that only you know since when it missed something";
      throw refuse(invalidBody, `/since ${detail}.`, { errors: [{ pointer: "/since", code: "required", detail }] });
    }
    if (body.since === undefined) await restartGivenUp(ctx, webhook.id); // also what is older: `missed_since` knows nothing of it
    const { recover_after, recover_to } = await beginRecovery(ctx, webhook.id, since, body.since !== undefined);
    ctx.touch(webhookFacts);
    ctx.enqueue(dueJob);
    return {
      webhook_id: webhook.id,
      since: isoTime(since),
      after_sequence: recover_after,
      up_to_sequence: recover_to,
    };
  },
});
