import { eventJson, type StoredEvent } from "../../../db/stored-events.ts";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { agentOfBody } from "../../../kernel/event-filter.ts";
import type { Concerned } from "../../../kernel/narrowing.ts";
import { notFound } from "../../../kernel/problems.ts";
import { maySee, readerTokens } from "../../../kernel/readers.ts";
import { type DeliveryRow, findDelivery } from "../deliveries/store.ts";
import { findEvent } from "../events/store.ts";
import { webhooks } from "./resource.ts";
import { permitEvent } from "./rules.ts";
import { lockWebhook } from "./store.ts";
import { type WebhookRow, webhookRevision } from "./view.ts";

/** Locks the endpoint that a call loaded until the transaction ends. Throws if it was removed, or changed since the revision that the call is based on. */
export async function lockLoaded(ctx: WriteContext, loaded: WebhookRow): Promise<WebhookRow> {
  const webhook = await lockWebhook(ctx, loaded.id);
  if (!webhook) throw refuse(notFound, "The endpoint was just removed.");
  if (ctx.basedOnLoaded && webhookRevision(webhook) !== webhookRevision(loaded)) throw changedMeanwhile();
  return webhook;
}

export interface LoadedDelivery {
  /** Those of the endpoint and of the event: a key must be for all of them. */
  readonly agents: Concerned;
  readonly webhook: WebhookRow;
  readonly delivery: DeliveryRow;
  /** Undefined for a test, and if it is no longer kept. */
  readonly event: StoredEvent | undefined;
}

/** The delivery that a path names, with its endpoint and event, where the caller may read what the event is about. The event's agent counts because the endpoint may have been bound to other agents then. */
export async function loadDelivery(
  ctx: ReadContext,
  params: { readonly webhook: string; readonly delivery: string },
): Promise<LoadedDelivery | undefined> {
  const webhook = await webhooks.rows.find(ctx, params.webhook);
  const delivery = webhook && (await findDelivery(ctx, webhook.id, params.delivery));
  if (!webhook || !delivery) return undefined;
  permitEvent(ctx, delivery.type);
  if (delivery.sequence === null) return { agents: webhook.agents, webhook, delivery, event: undefined };
  const event = await findEvent(ctx, delivery.event_id);
  if (event && !maySee([readerTokens(ctx.principal)], ...(event.readers ?? []))) return undefined;
  const agents = agentsOf(event);
  return { agents: webhook.agents && agents && [...webhook.agents, ...agents], webhook, delivery, event };
}

/** The agent that an event concerns; null if it concerns none or is no longer kept. */
export function agentsOf(event: Pick<StoredEvent, "body"> | undefined): Concerned {
  const agent = event && agentOfBody(eventJson(event, "body"));
  return agent ? [agent] : null;
}
