import { isoTime, timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { automationStopped, stop, whyStopped } from "../../../admin/public.ts";
import { webhookDisabled } from "../../events.ts";
import { webhookObject, webhookPermission } from "../kind.ts";
import { webhooks } from "../resource.ts";
import { lockWebhook, toState } from "../store.ts";
import type { WebhookRow } from "../view.ts";

export type DisableWebhook = { readonly webhook: string } & (Gone | Failing | Stopped);
/** Its owner may not go on. Does not apply if they may. */
interface Stopped {
  readonly reason: "stopped";
}
/** The URL responded 410 to an attempt that began at `asked_at` (RFC 3339). Does not apply if the endpoint has another URL by now, or was enabled since. */
interface Gone {
  readonly reason: "gone";
  readonly url: string;
  readonly asked_at: string;
}
interface Failing {
  readonly reason: "failing";
  /** RFC 3339. Does not apply if the endpoint has taken a delivery since. */
  readonly failing_since: string;
}

/** Stops sending to an endpoint that is gone, has failed for days, or whose owner may not go on. */
export const disableWebhook: InsideOperation<DisableWebhook, { readonly disabled: true }> = defineInside({
  id: "webhooks.disableWebhook",
  summary: "Disable an endpoint",
  permission: exempt("a machine of the service itself"),
  load: (ctx: ReadContext, { webhook }: DisableWebhook) => webhooks.rows.find(ctx, webhook),
  gate: exempt("starts no work"),
  compliance: exempt("follows from what the endpoint answered, or from what its owner may do"),
  audit: ({ params }: { params: DisableWebhook; loaded: WebhookRow | undefined }) => `webhook:${params.webhook}`,
  emits: [webhookDisabled, automationStopped],
  errors: [conflict],
  async handle(ctx, { loaded, params }) {
    const webhook = await lockWebhook(ctx, loaded.id);
    if (webhook?.state !== "enabled") throw refuse(conflict, "The endpoint is not enabled.");
    if (params.reason === "stopped") return stopEndpoint(ctx, webhook);
    const since = isoTime(webhook.failing_since);
    if (params.reason === "failing") {
      if (since !== params.failing_since) throw refuse(conflict, "The endpoint has taken a delivery since.");
    } else if (webhook.url !== params.url || webhook.state_since.getTime() > Date.parse(params.asked_at))
      throw refuse(conflict, "The endpoint was changed or enabled since.");
    const disabled = await toState(ctx, webhook.id, "disabled", params.reason);
    const { missed_since: missed } = await webhooks.rows.update(ctx, webhook, disabled);
    webhooks.touch(ctx);
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

async function stopEndpoint(ctx: WriteContext, webhook: WebhookRow): Promise<{ readonly disabled: true }> {
  const why = await whyStopped(ctx, webhook, webhookPermission);
  if (why === null) throw refuse(conflict, "The endpoint's owner may go on.");
  const stopped = stop(ctx, webhookObject(webhook.id), webhook, why);
  await webhooks.rows.update(ctx, webhook, { ...stopped, ...(await toState(ctx, webhook.id, "disabled", "stopped")) });
  webhooks.touch(ctx);
  return { disabled: true };
}
