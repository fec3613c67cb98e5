import type { StoredEvent } from "../../db/stored-events.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { permissionToRead } from "../../kernel/event-filter.ts";
import { type DeliveryRow, findDelivery, findEvent } from "./delivery-store.ts";
import { permitAgentOf, permitEvent, permitWebhook } from "./model.ts";
import { findWebhook, type WebhookRow } from "./store.ts";

/** The endpoint that a path names. A key that is narrowed to agents is refused one that is bound to others, or to none. */
export async function loadWebhook(ctx: ReadContext, id: string): Promise<WebhookRow | undefined> {
  const webhook = await findWebhook(ctx, id);
  return webhook && permitWebhook(ctx, webhook);
}

/** What is known of a delivery. */
export interface LoadedDelivery {
  readonly webhook: WebhookRow;
  readonly delivery: DeliveryRow;
  /** Undefined of a test, and where it is no longer kept. */
  readonly event: StoredEvent | undefined;
}

/**
 * The delivery that a path names, with its endpoint and its event. An endpoint that is bound to a key's agents may have been bound to others, or to none, before: what
 * it was sent then is refused to the key as it is in the event log.
 */
export async function loadDelivery(
  ctx: ReadContext,
  params: { readonly webhook: string; readonly delivery: string },
): Promise<LoadedDelivery | undefined> {
  const webhook = await loadWebhook(ctx, params.webhook);
  const delivery = webhook && (await findDelivery(ctx, webhook.id, params.delivery));
  if (!webhook || !delivery) return undefined;
  permitEvent(ctx, delivery.type, permissionToRead(delivery.type));
  const event = delivery.sequence === null ? undefined : await findEvent(ctx, delivery.event_id);
  if (delivery.sequence !== null) permitAgentOf(ctx, event?.body ?? null);
  return { webhook, delivery, event };
}
