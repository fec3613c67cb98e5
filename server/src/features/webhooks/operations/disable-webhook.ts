import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { webhookDisabled } from "../events.ts";
import { findWebhook, lockWebhook, setState, type WebhookRow, webhookFacts } from "../store.ts";

export type DisableWebhook = { readonly webhook: string } & (Gone | Failing);
/** It was answered so by this URL, in an attempt that began then (RFC 3339). An endpoint that has another one by now, or was enabled since, is left as it is. */
interface Gone {
  readonly reason: "gone";
  readonly url: string;
  readonly asked_at: string;
}
interface Failing {
  readonly reason: "failing";
  /** Since when, as the machine saw it (RFC 3339). An endpoint that has had a success since is left as it is. */
  readonly failing_since: string;
}

/** Sends nothing more to an endpoint that is gone or failed for days, and tells of it. */
export const disableWebhook: InsideOperation<DisableWebhook, { readonly disabled: true }> = defineInside({
  id: "webhooks.disableWebhook",
  summary: "Disable an endpoint",
  permission: exempt("a machine of the service itself"),
  load: (ctx: ReadContext, { webhook }: DisableWebhook) => findWebhook(ctx, webhook),
  gate: exempt("starts no work"),
  compliance: exempt("follows from what the endpoint answered"),
  audit: ({ params }: { params: DisableWebhook; loaded: WebhookRow | undefined }) => `webhook:${params.webhook}`,
  emits: [webhookDisabled],
  errors: [conflict],
  async handle(ctx, { loaded, params }) {
    const webhook = await lockWebhook(ctx, loaded.id);
    if (webhook?.state !== "enabled") throw refuse(conflict, "The endpoint is not enabled.");
    const since = isoTime(webhook.failing_since);
    if (
      params.reason === "gone" &&
      (webhook.url !== params.url || webhook.state_since.getTime() > Date.parse(params.asked_at))
    ) {
      throw refuse(conflict, "The endpoint was changed or enabled since.");
    }
    if (params.reason === "failing" && since !== params.failing_since)
      throw refuse(conflict, "The endpoint has taken a delivery since.");
    const missed = await setState(ctx, webhook.id, "disabled", params.reason);
    ctx.touch(webhookFacts);
    ctx.emit(webhookDisabled, {
      webhook_id: webhook.id,
      url_host: new URL(webhook.url).host,
      reason: params.reason,
      failing_since: since,
      missed_since: timestamp(missed?.getTime() ?? ctx.now),
    });
    return { disabled: true as const };
  },
});
