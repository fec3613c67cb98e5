import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { webhookDisabled } from "../events.ts";
import type { disabledReasons } from "../schemas.ts";
import { findWebhook, lockWebhook, setState, type WebhookRow, webhookFacts } from "../store.ts";

export interface DisableWebhook {
  readonly webhook: string;
  readonly reason: (typeof disabledReasons)[number];
  /** Of `failing`: since when, as the machine saw it (RFC 3339). An endpoint that has had a success since is left as it is. */
  readonly failing_since: string | null;
}

/** Sends nothing more to an endpoint that is gone or failed for days, and tells of it. */
export const disableWebhook: InsideOperation<DisableWebhook, { readonly disabled: true }> = defineInside({
  id: "webhooks.disableWebhook",
  summary: "Disable an endpoint",
  permission: exempt("a machine of the service itself"),
  load: (ctx: ReadContext, { webhook }: DisableWebhook) => findWebhook(ctx, webhook),
  gate: exempt("starts no work"),
  compliance: exempt("follows from what the endpoint answered"),
  audit: ({ params }: { params: DisableWebhook; loaded: WebhookRow | undefined }) => ({ object: `webhook:${params.webhook}` }),
  emits: [webhookDisabled],
  errors: [conflict],
  async handle(ctx, { loaded, params }) {
    const webhook = await lockWebhook(ctx, loaded.id);
    if (webhook?.state !== "enabled") throw refuse(conflict, "The endpoint is not enabled.");
    const since = webhook.failing_since && timestamp(webhook.failing_since.getTime());
    if (params.reason === "failing" && since !== params.failing_since) throw refuse(conflict, "The endpoint has taken a delivery since.");
    await setState(ctx, webhook.id, "disabled", params.reason);
    ctx.touch(webhookFacts);
    const missed = webhook.missed_since?.getTime() ?? ctx.now;
    ctx.emit(webhookDisabled, {
      webhook_id: webhook.id,
      url_host: new URL(webhook.url).host,
      reason: params.reason,
      failing_since: since,
      missed_since: timestamp(missed),
    });
    return { disabled: true as const };
  },
});
