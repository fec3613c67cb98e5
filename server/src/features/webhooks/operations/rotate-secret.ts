import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { exampleCreated, exampleWebhook } from "../example.ts";
import { lockLoaded } from "../load.ts";
import { CreatedWebhook, RotateSecretBody, WebhookId } from "../schemas.ts";
import { findWebhook, replaceSecret, type WebhookRow, webhookFacts } from "../store.ts";
import { webhookRevision, webhookView } from "../view.ts";

/** Seconds for which the old secret goes on signing by default. */
const standardOverlap = 86_400;
/** Most earlier secrets that sign at a time. */
const mostEarlier = 5;

export const rotateSecret = withPorts(({ webhooks: { credentialKey } }) =>
  defineOperation({
    id: "webhooks.rotateSecret",
    method: "POST",
    path: "/v1/webhooks/{webhook}/rotate-secret",
    secret: "secret",
    summary: "Give an endpoint a new secret",
    description:
      "The response shows the new secret once. Until the overlap ends, deliveries are also signed with the old secret, so that the receiver can switch at any time; so are earlier ones until their overlaps end.",
    params: Type.Object({ webhook: WebhookId }),
    body: RotateSecretBody,
    output: CreatedWebhook,
    example: {
      params: { webhook: exampleWebhook.webhook_id },
      body: { overlap_seconds: 3_600 },
      output: { ...exampleCreated, secret_overlap_until: "2026-11-20T10:30:00.000Z" },
    },
    mayMatch: (loaded: WebhookRow) => webhookRevision(loaded),
    permission: "webhooks:write",
    load: (ctx, { webhook }) => findWebhook(ctx, webhook),
    gate: exempt("makes no agent act"),
    decides: exempt("endpoints receive events and give agents nothing"),
    compliance: governs("webhook.rotate"),
    audit: ({ params }) => `webhook:${params.webhook}`,
    errors: [conflict],
    async handle(ctx, { loaded, body }) {
      const webhook = await lockLoaded(ctx, loaded);
      const { overlap_seconds: overlap = standardOverlap } = body;
      const ends = webhook.previous_untils.filter((until) => until.getTime() > ctx.now).map((until) => isoTime(until));
      if (overlap > 0 && ends.length >= mostEarlier) {
        const remedy = `wait until ${ends.sort()[0]}, when the first of them ends, or end them all at once with overlap_seconds: 0`;
        throw refuse(conflict, `${mostEarlier} earlier secrets of the endpoint still sign: ${remedy}.`);
      }
      const secret = await replaceSecret(ctx, loaded.id, credentialKey, overlap * 1000);
      ctx.touch(webhookFacts);
      return { ...webhookView((await findWebhook(ctx, loaded.id)) as WebhookRow, ctx.now), secret };
    },
  }),
);
