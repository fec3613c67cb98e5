import { Type } from "typebox";
import { actorOfCall } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { cancelFiltered } from "../delivery-store.ts";
import { exampleWebhook } from "../example.ts";
import { dueJob } from "../jobs.ts";
import { lockLoaded } from "../load.ts";
import { agentsFor, checkTarget, patternFaults, sightOfCaller, urlFaults } from "../model.ts";
import { ChangeWebhookBody as Body, type ChangeWebhookBody, Webhook, WebhookId } from "../schemas.ts";
import {
  findWebhook,
  forgetFailures,
  setState,
  updateWebhook,
  type WebhookRow,
  type WebhookSettings,
  webhookFacts,
} from "../store.ts";
import { webhookRevision, webhookView } from "../view.ts";
import { ownWebhook } from "../webhook-kind.ts";

export const changeWebhook = withPorts(({ webhooks: port }) =>
  defineOperation({
    id: "webhooks.changeWebhook",
    method: "PATCH",
    path: "/v1/webhooks/{webhook}",
    listed: true,
    summary: "Change an endpoint",
    description:
      "Changes URL, events, filters, format and rate. Pending deliveries are sent with the new settings, or cancelled if the endpoint no longer gets them. `state` pauses the endpoint, or enables it again, even if the service disabled it. Whoever changes URL or events, or starts one that stopped, is its owner from then on.",
    params: Type.Object({ webhook: WebhookId }),
    body: Body,
    output: Webhook,
    example: {
      params: { webhook: exampleWebhook.webhook_id },
      body: { state: "paused" },
      output: { ...exampleWebhook, state: "paused", missed_since: exampleWebhook.state_since },
    },
    revision: webhookRevision,
    revisionOfPart: true,
    mayMatch: (loaded: WebhookRow) => webhookRevision(loaded),
    permission: "webhooks:write",
    load: (ctx, { webhook }) => findWebhook(ctx, webhook),
    validate: ({ scope }, { body }) => [
      ...patternFaults(body.events, (at) => `/events/${at}`),
      ...urlFaults(port, scope.environment, body.url),
    ],
    gate: exempt("makes no agent act"),
    decides: exempt("endpoints receive events and give agents nothing"),
    compliance: governs("webhook.change"),
    audit: ({ params }) => `webhook:${params.webhook}`,
    async handle(ctx, { loaded, body }) {
      if (body.url !== undefined) await checkTarget(port, ctx.scope.environment, body.url);
      const webhook = await lockLoaded(ctx, loaded);
      const settings = changed(ctx, webhook, body);
      await updateWebhook(ctx, webhook.id, settings);
      const isOwner = aims(body) || (webhook.stopped_reason !== null && body.state === "enabled");
      if (isOwner) await ownWebhook(ctx, webhook, actorOfCall(ctx));
      if (settings.url !== webhook.url) await forgetFailures(ctx, webhook.id); // they were of another address
      if (filters.some((name) => body[name] !== undefined)) await cancelFiltered(ctx, webhook.id, settings);
      const state = body.state ?? (isOwner && webhook.disabled_reason === "stopped" ? "enabled" : webhook.state);
      if (state !== webhook.state) {
        await setState(ctx, webhook.id, state, null);
        if (state === "enabled") ctx.enqueue(dueJob);
      }
      ctx.touch(webhookFacts);
      return webhookView((await findWebhook(ctx, webhook.id)) as WebhookRow, ctx.now);
    },
  }),
);

/** Members that decide which events an endpoint gets; the URL does so by who set it. */
const filters = ["url", "events", "agents", "risks"] as const;

/** Whether a change says where events go, or which: whoever makes it is the endpoint's owner from then on. */
const aims = ({ url, events }: ChangeWebhookBody): boolean => url !== undefined || events !== undefined;

/** The settings after a change. What a caller who sets the URL or the events may not read is withheld from then on. */
function changed(
  ctx: WriteContext,
  webhook: WebhookRow,
  { state: _state, ...body }: ChangeWebhookBody,
): WebhookSettings {
  return {
    ...webhook,
    ...body,
    agents: body.agents === undefined ? webhook.agents : agentsFor(ctx, body.agents),
    ...(aims(body) && sightOfCaller(ctx)),
  };
}
