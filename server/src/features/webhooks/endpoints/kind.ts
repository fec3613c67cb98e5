import { actorOfCall, asEarlier, storedActor, storedPersons, withDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineStanding } from "../../admin/public.ts";
import { dueJob } from "../deliveries/sweeps.ts";
import { webhooks } from "./resource.ts";
import { lockWebhook, ownedBy, toState } from "./store.ts";
import type { WebhookRow } from "./view.ts";

/** The name of an endpoint among what people take over. */
export const webhookObject = (id: string): string => `webhook:${id}`;

/** What the owner of an endpoint needs; what they may read decides which events it is sent. */
export const webhookPermission = "webhooks:write";

/** Columns of an endpoint that the caller owns from now on; those before decided what they left in it. */
export const ownedByCaller = (ctx: WriteContext, { id, actor: before }: WebhookRow) =>
  ownedBy(ctx, withDeciders(actorOfCall(ctx), asEarlier(storedPersons(before), "output", webhookObject(id))));

export const standingWebhook = defineStanding({
  kind: "webhook",
  prefix: "whk",
  permission: webhookPermission,
  part: "output",
  async find(ctx, id) {
    const row = await webhooks.rows.find(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agents, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: webhookObject(id), ...acts, agents, path: `/v1/webhooks/${id}` };
  },
  lock: lockWebhook,
  async give(ctx, row, actor) {
    const started = row.disabled_reason === "stopped" && (await toState(ctx, row.id, "enabled"));
    await webhooks.rows.update(ctx, row, { ...ownedBy(ctx, actor), ...started });
    webhooks.touch(ctx);
    ctx.enqueue(dueJob);
  },
});
