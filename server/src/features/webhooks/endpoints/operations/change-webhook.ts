import type { WriteContext } from "../../../../kernel/context.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { cancelFiltered } from "../../deliveries/store.ts";
import { dueJob } from "../../deliveries/sweeps.ts";
import { exampleWebhook } from "../../example.ts";
import { webhookPort } from "../../ports.ts";
import { ChangeWebhookBody as Body, type ChangeWebhookBody } from "../../schemas.ts";
import { ownedByCaller } from "../kind.ts";
import { lockLoaded } from "../load.ts";
import { webhooks } from "../resource.ts";
import { agentsFor, checkTarget, patternFaults, sightOfCaller, urlFaults } from "../rules.ts";
import { forgetFailures, toState } from "../store.ts";
import { webhookRevision } from "../view.ts";

export const changeWebhook = defineOperation({
  ...webhooks.changeOfOne(),
  ...webhooks.answer,
  id: "webhooks.changeWebhook",
  method: "PATCH",
  listed: true,
  summary: "Change an endpoint",
  description:
    "Changes URL, events, filters, format and rate. Pending deliveries are sent with the new settings, or cancelled if the endpoint no longer gets them. `state` pauses the endpoint, or enables it again, even if the service disabled it. Whoever changes URL or events, or starts one that stopped, is its owner from then on.",
  body: Body,
  example: {
    params: { webhook: exampleWebhook.webhook_id },
    body: { state: "paused" },
    output: { ...exampleWebhook, state: "paused", missed_since: exampleWebhook.state_since },
  },
  mayMatch: webhookRevision,
  validate: ({ scope, port }, { body }) => [
    ...patternFaults(body.events, (at) => `/events/${at}`),
    ...urlFaults(port(webhookPort), scope.environment, body.url),
  ],
  gate: exempt("makes no agent act"),
  async handle(ctx, { loaded, body }) {
    if (body.url !== undefined) await checkTarget(ctx.port(webhookPort), ctx.scope.environment, body.url);
    const webhook = await lockLoaded(ctx, loaded);
    const settings = changed(ctx, body);
    const isOwner = aims(body) || (webhook.stopped_reason !== null && body.state === "enabled");
    if (body.url !== undefined && body.url !== webhook.url) await forgetFailures(ctx, webhook.id); // of another address
    if (filters.some((name) => body[name] !== undefined))
      await cancelFiltered(ctx, webhook.id, { ...webhook, ...settings });
    const state = body.state ?? (isOwner && webhook.disabled_reason === "stopped" ? "enabled" : webhook.state);
    const row = await webhooks.rows.update(ctx, webhook, {
      ...settings,
      ...(isOwner && ownedByCaller(ctx, webhook)),
      ...(state !== webhook.state && (await toState(ctx, webhook.id, state))),
      updated_at: new Date(ctx.now),
    });
    if (state !== webhook.state && state === "enabled") ctx.enqueue(dueJob);
    webhooks.touch(ctx);
    return webhooks.view(row, ctx);
  },
});

/** Members that decide which events an endpoint gets; the URL does so by who set it. */
const filters = ["url", "events", "agents", "risks"] as const;

/** Whether a change says where events go, or which: whoever makes it is the endpoint's owner from then on. */
const aims = ({ url, events }: ChangeWebhookBody): boolean => url !== undefined || events !== undefined;

/** The settings that change. What a caller who sets the URL or the events may not read is withheld from then on. */
const changed = (ctx: WriteContext, { state: _state, ...body }: ChangeWebhookBody) => ({
  ...body,
  ...(body.agents !== undefined && { agents: agentsFor(ctx, body.agents) }),
  ...(aims(body) && sightOfCaller(ctx)),
});
