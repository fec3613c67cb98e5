import { Type } from "typebox";
import type { WriteContext } from "../../../kernel/context.ts";
import { withheldFrom } from "../../../kernel/event-filter.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { cancelFiltered } from "../delivery-store.ts";
import { exampleWebhook } from "../example.ts";
import { dueJob } from "../jobs.ts";
import { lockLoaded } from "../load.ts";
import { agentsFor, checkTarget, patternFaults, urlFaults } from "../model.ts";
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

export const changeWebhook = withPorts(({ webhooks: port }) =>
  defineOperation({
    id: "webhooks.changeWebhook",
    method: "PATCH",
    path: "/v1/webhooks/{webhook}",
    listed: true,
    summary: "Change an endpoint",
    description:
      "Changes URL, events, filters, format and rate. Pending deliveries are sent with the new settings, or cancelled if the endpoint no longer gets them. `state` pauses the endpoint, or enables it again, even if the service disabled it.",
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
    compliance: governs("webhook.change"),
    audit: ({ params }) => `webhook:${params.webhook}`,
    async handle(ctx, { loaded, body }) {
      if (body.url !== undefined) await checkTarget(port, ctx.scope.environment, body.url);
      const webhook = await lockLoaded(ctx, loaded);
      const settings = changed(ctx, webhook, body);
      await updateWebhook(ctx, webhook.id, settings);
      if (settings.url !== webhook.url) await forgetFailures(ctx, webhook.id); // they were of another address
      if (filters.some((name) => body[name] !== undefined)) await cancelFiltered(ctx, webhook.id, settings);
      if (body.state !== undefined && body.state !== webhook.state) {
        await setState(ctx, webhook.id, body.state, null);
        if (body.state === "enabled") ctx.enqueue(dueJob);
      }
      ctx.touch(webhookFacts);
      return webhookView((await findWebhook(ctx, webhook.id)) as WebhookRow, ctx.now);
    },
  }),
);

/** Members that decide which events an endpoint gets; the URL does so by who set it. */
const filters = ["url", "events", "agents", "risks"] as const;

/** The settings after a change. What a caller who sets the URL or the events may not read is withheld from then on. */
function changed(
  ctx: WriteContext,
  webhook: WebhookRow,
  { state: _state, ...body }: ChangeWebhookBody,
): WebhookSettings {
  const aims = body.url !== undefined || body.events !== undefined;
  return {
    ...webhook,
    ...body,
    agents: body.agents === undefined ? webhook.agents : agentsFor(ctx, body.agents),
    withheld: aims ? [...withheldFrom(ctx.principal)] : webhook.withheld,
  };
}
