import type { StoredEvent } from "../../db/stored-events.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { agentOfBody, permissionToRead } from "../../kernel/event-filter.ts";
import type { Concerned } from "../../kernel/narrowing.ts";
import { type DeliveryRow, findDelivery, findEvent } from "./delivery-store.ts";
import { permitEvent } from "./model.ts";
import { findWebhook, type WebhookRow } from "./store.ts";

/** What is known of a delivery. */
export interface LoadedDelivery {
  /** Those that the endpoint is bound to, and that of the event: what keys are narrowed to. */
  readonly agents: Concerned;
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
  const webhook = await findWebhook(ctx, params.webhook);
  const delivery = webhook && (await findDelivery(ctx, webhook.id, params.delivery));
  if (!webhook || !delivery) return undefined;
  permitEvent(ctx, delivery.type, permissionToRead(delivery.type));
  const event = delivery.sequence === null ? undefined : await findEvent(ctx, delivery.event_id);
  const agents = delivery.sequence === null ? webhook.agents : both(webhook.agents, agentsOf(event));
  return { agents, webhook, delivery, event };
}

/** The agent that an event concerns; null: none, or it is no longer kept, and nobody knows. */
export function agentsOf(event: Pick<StoredEvent, "body"> | undefined): Concerned {
  const agent = event && agentOfBody(JSON.parse(event.body) as Record<string, unknown>);
  return agent ? [agent] : null;
}

const both = (one: Concerned, other: Concerned): Concerned => one && other && [...one, ...other];
