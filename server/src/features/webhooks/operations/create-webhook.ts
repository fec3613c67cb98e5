import { refuse } from "../../../kernel/errors.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { tooManyWebhooks } from "../errors.ts";
import { exampleCreated, exampleWebhook } from "../example.ts";
import { agentsFor, checkTarget, patternFaults, sightOfCaller, urlFaults } from "../model.ts";
import { CreatedWebhook, CreateWebhookBody } from "../schemas.ts";
import { findWebhook, insertWebhook, mostWebhooks, type WebhookRow, webhookFacts } from "../store.ts";
import { webhookRevision, webhookView } from "../view.ts";

export const createWebhook = withPorts(({ webhooks: port }) =>
  defineOperation({
    id: "webhooks.createWebhook",
    method: "POST",
    path: "/v1/webhooks",
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
    revision: webhookRevision,
    revisionOfPart: true,
    permission: "webhooks:write",
    load: exempt("names no object; makes one"),
    narrowing: limitedTo("the endpoint is bound to the key's agents or fewer"),
    validate: ({ scope }, { body }) => [
      ...patternFaults(body.events, (at) => `/events/${at}`),
      ...urlFaults(port, scope.environment, body.url),
    ],
    gate: exempt("makes no agent act"),
    decides: exempt("endpoints receive events and give agents nothing"),
    compliance: governs("webhook.create"),
    audit: ({ output }) => (output ? `webhook:${output.webhook_id}` : "webhooks"),
    errors: [tooManyWebhooks],
    async handle(ctx, { body }) {
      const agents = agentsFor(ctx, body.agents);
      await checkTarget(port, ctx.scope.environment, body.url);
      const id = ctx.newId("whk");
      const standard = { description: "", format: "flat", rate_per_second: null, risks: null } as const;
      const settings = { ...standard, ...body, agents, ...sightOfCaller(ctx) };
      const secret = await insertWebhook(ctx, id, settings, port.credentialKey);
      if (secret === undefined) {
        const most = mostWebhooks.toLocaleString("en-US");
        throw refuse(tooManyWebhooks, `There are ${most} endpoints in ${ctx.scope.environment}; remove one first.`);
      }
      ctx.touch(webhookFacts);
      return { ...webhookView((await findWebhook(ctx, id)) as WebhookRow, ctx.now), secret };
    },
  }),
);
