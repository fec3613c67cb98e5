import { drawSecret } from "../../../../db/webhook-secrets.ts";
import { actorOfCall, storable } from "../../../../kernel/actor.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { tooManyWebhooks } from "../../errors.ts";
import { newestSequence } from "../../events/store.ts";
import { exampleCreated, exampleWebhook } from "../../example.ts";
import { webhookPort } from "../../ports.ts";
import { CreatedWebhook, CreateWebhookBody } from "../../schemas.ts";
import { webhooks } from "../resource.ts";
import { agentsFor, checkTarget, patternFaults, sightOfCaller, urlFaults } from "../rules.ts";

export const createWebhook = defineOperation({
  ...webhooks.changeOfAll("webhook.create"),
  ...webhooks.answer,
  id: "webhooks.createWebhook",
  method: "POST",
  status: 201,
  listed: true,
  secret: "secret",
  summary: "Subscribe an endpoint to events",
  description:
    "The endpoint receives events from now on. The response shows the signing secret once. If the key is narrowed to agents, the endpoint is bound to them. Events that the key may not read are never sent.",
  body: CreateWebhookBody,
  output: CreatedWebhook,
  example: {
    body: {
      url: exampleWebhook.url,
      events: exampleWebhook.events,
      description: exampleWebhook.description,
      agents: ["sales"],
    },
    output: exampleCreated,
  },
  location: ({ webhook_id }) => `/v1/webhooks/${webhook_id}`,
  narrowing: limitedTo("the endpoint is bound to the key's agents or fewer"),
  validate: ({ scope, port }, { body }) => [
    ...patternFaults(body.events, (at) => `/events/${at}`),
    ...urlFaults(port(webhookPort), scope.environment, body.url),
  ],
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? `webhook:${output.webhook_id}` : "webhooks"),
  errors: [tooManyWebhooks],
  async handle(ctx, { body }) {
    const agents = agentsFor(ctx, body.agents);
    await checkTarget(ctx.port(webhookPort), ctx.scope.environment, body.url);
    const id = ctx.newId("whk");
    const standard = { description: "", format: "flat", rate_per_second: null, risks: null } as const;
    const settings = { ...standard, ...body, agents, ...sightOfCaller(ctx) };
    const { secret, sealed } = drawSecret(ctx.port(webhookPort).credentialKey, ctx.scope, id);
    const now = new Date(ctx.now);
    const row = await webhooks.rows.insert(ctx, {
      ...settings,
      id,
      secret: sealed,
      starts_after: await newestSequence(ctx),
      created_by: ctx.principal.id,
      actor: storable(actorOfCall(ctx)),
      created_at: now,
      updated_at: now,
      state_since: now,
    });
    webhooks.touch(ctx);
    return { ...webhooks.view(row, ctx), secret };
  },
});
