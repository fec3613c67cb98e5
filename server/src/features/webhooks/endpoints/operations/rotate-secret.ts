import { isoTime } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { mostEarlier, replaceSecret } from "../../../../resources/secrets.ts";
import { exampleCreated, exampleWebhook } from "../../example.ts";
import { webhookPort } from "../../ports.ts";
import { CreatedWebhook, RotateSecretBody } from "../../schemas.ts";
import { lockLoaded } from "../load.ts";
import { webhooks } from "../resource.ts";
import { webhookRevision } from "../view.ts";

function tooManyEarlier(firstEnd: Date): Error {
  const remedy = `wait until ${isoTime(firstEnd)}, when the first of them ends, or end them all at once with overlap_seconds: 0`;
  return refuse(conflict, `${mostEarlier} earlier secrets of the endpoint still sign: ${remedy}.`);
}

export const rotateSecret = defineOperation({
  ...webhooks.changeOfOne("webhook.rotate"),
  id: "webhooks.rotateSecret",
  method: "POST",
  path: "/v1/webhooks/{webhook}/rotate-secret",
  secret: "secret",
  summary: "Give an endpoint a new secret",
  description:
    "The response shows the new secret once. Until the overlap ends, deliveries are also signed with the old secret, so that the receiver can switch at any time; so are earlier ones until their overlaps end.",
  body: RotateSecretBody,
  output: CreatedWebhook,
  example: {
    params: { webhook: exampleWebhook.webhook_id },
    body: { overlap_seconds: 3_600 },
    output: { ...exampleCreated, secret_overlap_until: "2026-11-20T10:30:00.000Z" },
  },
  mayMatch: webhookRevision,
  gate: exempt("makes no agent act"),
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const webhook = await lockLoaded(ctx, loaded);
    const { secret, columns } = replaceSecret(ctx, webhook, {
      sealedAs: webhook.id,
      key: ctx.port(webhookPort).credentialKey,
      overlap: body.overlap_seconds,
      refuse: tooManyEarlier,
    });
    const row = await webhooks.rows.update(ctx, webhook, { ...columns, updated_at: new Date(ctx.now) });
    webhooks.touch(ctx);
    return { ...webhooks.view(row, ctx), secret };
  },
});
