import type { ReadContext } from "../../kernel/context.ts";
import { permissionToRead } from "../../kernel/event-filter.ts";
import { type DeliveryRow, findDelivery } from "./delivery-store.ts";
import { permitEvent, permitWebhook } from "./model.ts";
import { findWebhook, type WebhookRow } from "./store.ts";

/** The endpoint that a path names. A key that is narrowed to agents is refused one that is bound to others, or to none. */
export async function loadWebhook(ctx: ReadContext, id: string): Promise<WebhookRow | undefined> {
  const webhook = await findWebhook(ctx, id);
  return webhook && permitWebhook(ctx, webhook);
}

/** The delivery that a path names, with its endpoint. */
export async function loadDelivery(
  ctx: ReadContext,
  params: { readonly webhook: string; readonly delivery: string },
): Promise<{ webhook: WebhookRow; delivery: DeliveryRow } | undefined> {
  const webhook = await loadWebhook(ctx, params.webhook);
  const delivery = webhook && (await findDelivery(ctx, webhook.id, params.delivery));
  if (!webhook || !delivery) return undefined;
  permitEvent(ctx, delivery.type, permissionToRead(delivery.type));
  return { webhook, delivery };
}
