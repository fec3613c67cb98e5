import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { withheldFrom } from "../../../kernel/event-filter.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody, notFound } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { endUnwanted } from "../delivery-store.ts";
import { exampleWebhook } from "../example.ts";
import { dueJob } from "../jobs.ts";
import { agentsFor, patternFaults, urlFaults } from "../model.ts";
import { ChangeWebhookBody as Body, type ChangeWebhookBody, Webhook, WebhookId } from "../schemas.ts";
import {
  findWebhook,
  forgetFailures,
  lockWebhook,
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
      "Changes URL, events, bounds, format and rate; what waits goes out as the endpoint is then, and is cancelled where the endpoint does not get it any more. `state` pauses it, or enables it again, also where the service disabled it.",
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
      if (body.url !== undefined) {
        const fault = await port.checkTarget(ctx.scope.environment, body.url);
        if (fault) throw refuse(invalidBody, `${fault.pointer}: ${fault.detail}`, { errors: [fault] });
      }
      const webhook = await lockWebhook(ctx, loaded.id);
      if (!webhook) throw refuse(notFound, "The endpoint was removed in this moment.");
      if (ctx.basedOnLoaded && webhookRevision(webhook) !== webhookRevision(loaded)) throw changedMeanwhile();
      const settings = changed(ctx, webhook, body);
      await updateWebhook(ctx, webhook.id, settings);
      if (settings.url !== webhook.url) await forgetFailures(ctx, webhook.id); // those of another address
      if (filters.some((name) => body[name] !== undefined)) await endUnwanted(ctx, webhook.id, settings);
      if (body.state !== undefined && body.state !== webhook.state) {
        await setState(ctx, webhook.id, body.state, null);
        if (body.state === "enabled") ctx.enqueue(dueJob);
      }
      ctx.touch(webhookFacts);
      return webhookView((await findWebhook(ctx, webhook.id)) as WebhookRow, ctx.now);
    },
  }),
);

/** What decides which events an endpoint gets; the URL does so by who set it. */
const filters = ["url", "events", "agents", "risks"] as const;

/** The settings after a change. Who sets where events go, or which, answers for their being read there: what they may not read is withheld from then on. */
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
    withheld: aims ? withheldFrom(ctx.principal) : webhook.withheld,
  };
}
