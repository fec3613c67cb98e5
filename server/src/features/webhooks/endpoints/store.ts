import { all, select, sql, update } from "../../../db/scoped.ts";
import { type Actor, storable } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { WebhookState } from "../schemas.ts";
import { webhooks } from "./resource.ts";
import { sightOfCaller } from "./rules.ts";
import type { StoredWebhook, WebhookRow } from "./view.ts";

/** The endpoint with its health, locked until the transaction ends; undefined: it was removed. */
export const lockWebhook = async (ctx: WriteContext, id: string): Promise<WebhookRow | undefined> =>
  (await webhooks.rows.lock(ctx, id)) && webhooks.rows.find(ctx, id);

/** Columns of an endpoint that somebody owns from now on, with the caller's sight. */
export const ownedBy = (ctx: WriteContext, actor: Actor) => ({
  ...sightOfCaller(ctx),
  actor: storable(actor),
  stopped_reason: null,
  stopped_at: null,
});

/**
 * Columns of an endpoint that is enabled, paused or disabled. It misses events since the first failure after its last success, or from now. What was given up before
 * that is kept as a delivery, where recovery finds it. Enabling forgets earlier failures.
 */
export async function toState(
  ctx: WriteContext,
  id: string,
  state: WebhookState,
  disabled_reason: StoredWebhook["disabled_reason"] = null,
) {
  const now = new Date(ctx.now);
  const columns = { state, disabled_reason, state_since: now, updated_at: now };
  if (state === "enabled") {
    await forgetFailures(ctx, id);
    return columns;
  }
  const failing = select(ctx, "webhook_health", "h").select("h.failing_since").where("h.webhook_id", "=", id);
  return { ...columns, missed_since: sql<Date>`coalesce(missed_since, ${failing}, ${now})` };
}

export async function forgetFailures(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, update(ctx, "webhook_health").set({ failing_since: null }).where("webhook_id", "=", id));
}

/** Removes an endpoint with its secrets. Its pending deliveries are cancelled by a sweep. */
export async function endWebhook(ctx: WriteContext, id: string): Promise<void> {
  const secrets = { secret: Buffer.alloc(0), previous_secrets: [], previous_untils: [] };
  const removed_at = new Date(ctx.now);
  await webhooks.rows.update(ctx, id, { ...secrets, recover_after: null, recover_to: null, removed_at });
}
