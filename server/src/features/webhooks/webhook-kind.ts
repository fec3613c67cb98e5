import { type Actor, asEarlier, storedActor, storedPersons, withDeciders } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { defineStanding } from "../admin/public.ts";
import { dueJob } from "./jobs.ts";
import { sightOfCaller } from "./model.ts";
import { findWebhook, giveWebhook, lockWebhook, setState, type WebhookRow, webhookFacts } from "./store.ts";

/** The name of an endpoint among what people take over. */
export const webhookObject = (id: string): string => `webhook:${id}`;

/** What the owner of an endpoint needs; what they may read decides which events it is sent. */
export const webhookPermission = "webhooks:write";

/** Makes somebody the owner of an endpoint, with the caller's sight; those before decided what they left in it. */
export async function ownWebhook(ctx: WriteContext, { id, actor: before }: WebhookRow, actor: Actor): Promise<void> {
  const owner = withDeciders(actor, asEarlier(storedPersons(before), "output", webhookObject(id)));
  await giveWebhook(ctx, id, owner, sightOfCaller(ctx));
}

export const standingWebhook = defineStanding({
  kind: "webhook",
  permission: webhookPermission,
  part: "output",
  async find(ctx, id) {
    const row = await findWebhook(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agents, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: webhookObject(id), ...acts, agents, path: `/v1/webhooks/${id}` };
  },
  lock: lockWebhook,
  async give(ctx, row, actor) {
    await giveWebhook(ctx, row.id, actor, sightOfCaller(ctx));
    if (row.disabled_reason === "stopped") await setState(ctx, row.id, "enabled", null);
    ctx.touch(webhookFacts);
    ctx.enqueue(dueJob);
  },
});
