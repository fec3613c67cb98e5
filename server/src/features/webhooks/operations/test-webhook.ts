import { Type } from "typebox";
import { timestamp } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/errors.ts";
import { eventCatalogue } from "../../../kernel/events.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { type DeliveryRow, findDelivery, insertTest } from "../delivery-store.ts";
import { ping } from "../events.ts";
import { exampleSent, exampleWebhook } from "../example.ts";
import { dueJob } from "../jobs.ts";
import { patternFaults } from "../model.ts";
import { sampleOf } from "../sample.ts";
import { Delivery, TestWebhookBody, WebhookId } from "../schemas.ts";
import { findWebhook } from "../store.ts";
import { deliveryView } from "../view.ts";

export const testWebhook = defineOperation({
  id: "webhooks.testWebhook",
  method: "POST",
  path: "/v1/webhooks/{webhook}/test",
  status: 202,
  summary: "Send a sample event to an endpoint",
  description:
    "Sends a `ping`, or a made-up sample of any event, whether the endpoint subscribed to it or not. It is signed and formatted like every delivery, has the header `aos-test`, and is in no event log. The delivery shows the result.",
  params: Type.Object({ webhook: WebhookId }),
  body: TestWebhookBody,
  output: Delivery,
  location: ({ webhook_id, delivery_id }) => `/v1/webhooks/${webhook_id}/deliveries/${delivery_id}`,
  example: {
    params: { webhook: exampleWebhook.webhook_id },
    body: { event: "task.approval_required" },
    output: { ...exampleSent, test: true, sequence: null },
  },
  permission: "webhooks:write",
  load: (ctx, { webhook }) => findWebhook(ctx, webhook),
  validate: (_ctx, { body }) =>
    typeof body.event !== "string" || eventCatalogue().some(({ type }) => type === body.event)
      ? []
      : [...patternFaults([body.event], () => "/event"), wholeName].slice(0, 1),
  gate: exempt("makes no agent act"),
  decides: exempt("endpoints receive events and give agents nothing"),
  compliance: governs("webhook.test"),
  audit: ({ params }) => `webhook:${params.webhook}`,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    if (loaded.state !== "enabled")
      throw refuse(conflict, `The endpoint is ${loaded.state}: enable it with PATCH first.`);
    const event = eventCatalogue().find(({ type }) => type === body.event) ?? ping;
    const agent = loaded.agents?.[0];
    const given = {
      webhook_id: loaded.id,
      sent_by: ctx.principal.id,
      approve_url: `${ctx.appUrl}/approvals/tsk_01jd8x0000000000000000000a`,
      ...(agent === undefined ? {} : { agent }),
    };
    const id = ctx.newId("dlv");
    await insertTest(ctx, id, loaded, event.type, JSON.stringify(sampleOf(event, timestamp(ctx.now), given)));
    ctx.enqueue(dueJob);
    return deliveryView((await findDelivery(ctx, loaded.id, id)) as DeliveryRow, ctx.now);
  },
});

const wholeName = {
  pointer: "/event",
  code: "unknown_event",
  detail: "must be the whole name of one event, such as `task.completed`",
};
