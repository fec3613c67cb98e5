import { isoTime } from "../../../../kernel/clock.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { type Refusal, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { settingsOf } from "../../../admin/public.ts";
import { lockLoaded } from "../../endpoints/load.ts";
import { webhooks } from "../../endpoints/resource.ts";
import { exampleWebhook } from "../../example.ts";
import { RecoverBody, Recovery } from "../../schemas.ts";
import { beginRecovery, forgottenBefore, restartFailed } from "../store.ts";
import { dueJob } from "../sweeps.ts";

export const recover = defineOperation({
  ...webhooks.changeOfOne("webhook.recover"),
  id: "webhooks.recover",
  method: "POST",
  path: "/v1/webhooks/{webhook}/recover",
  status: 202,
  summary: "Send an endpoint the events it missed",
  description:
    "Sends the events since a time that match the endpoint's filters now and were not delivered: failed ones, and those never sent because it was paused, disabled or did not exist. " +
    "Without `since` it begins at `missed_since`, or where the deliveries that are still kept begin, and also sends every earlier delivery that failed. While it runs, the endpoint's `recovering` is true.",
  body: RecoverBody,
  output: Recovery,
  location: ({ webhook_id }) => `/v1/webhooks/${webhook_id}`,
  example: {
    params: { webhook: exampleWebhook.webhook_id },
    body: { since: "2026-11-20T08:00:00.000Z" },
    output: {
      webhook_id: exampleWebhook.webhook_id,
      since: "2026-11-20T08:00:00.000Z",
      after_sequence: 17,
      up_to_sequence: 42,
    },
  },
  gate: exempt("makes no agent act"),
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const webhook = await lockLoaded(ctx, loaded);
    if (webhook.state !== "enabled") {
      throw refuse(conflict, `The endpoint is ${webhook.state}: enable it with PATCH first, then recover.`);
    }
    const missed = body.since === undefined ? webhook.missed_since : new Date(body.since);
    if (missed === null) {
      const detail =
        "is required: the endpoint was not paused or disabled since the last recovery; say from when to recover";
      throw refuse(invalidBody, `/since ${detail}.`, { errors: [{ pointer: "/since", code: "required", detail }] });
    }
    if (body.since === undefined) await restartFailed(ctx, webhook.id); // even those older than `missed_since`
    const known = await knownSince(ctx, webhook.id);
    if (body.since !== undefined && missed < known) throw forgotten(ctx, known);
    const since = missed < known ? known : missed;
    const { recover_after, recover_to } = await beginRecovery(ctx, webhook.id, since, body.since !== undefined);
    webhooks.touch(ctx);
    ctx.enqueue(dueJob);
    return {
      webhook_id: webhook.id,
      since: isoTime(since),
      after_sequence: recover_after,
      up_to_sequence: recover_to,
    };
  },
});

/** Deliveries from before are deleted, by the setting of now or by an earlier one: events that the endpoint took then would be sent again. */
async function knownSince(ctx: WriteContext, webhook: string): Promise<Date> {
  const kept = ctx.now - settingsOf(ctx).retention.deliveries_days * 86_400_000;
  return new Date(Math.max(kept, (await forgottenBefore(ctx, webhook))?.getTime() ?? 0));
}

function forgotten(ctx: WriteContext, known: Date): Refusal {
  const days = settingsOf(ctx).retention.deliveries_days;
  const detail = `is before ${isoTime(known)}: deliveries from before are no longer kept (setting retention.deliveries_days, ${days} days now), and nobody knows which events the endpoint took. Give a later time`;
  return refuse(invalidBody, `/since ${detail}.`, { errors: [{ pointer: "/since", code: "too_early", detail }] });
}
