import { timestamp } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { eventCatalogue } from "../../../../kernel/events.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { insertTest } from "../../deliveries/store.ts";
import { dueJob } from "../../deliveries/sweeps.ts";
import { sampleOf } from "../../events/sample.ts";
import { ping } from "../../events.ts";
import { exampleSent, exampleWebhook } from "../../example.ts";
import { Delivery, TestWebhookBody } from "../../schemas.ts";
import { deliveryView } from "../../view.ts";
import { webhooks } from "../resource.ts";
import { patternFaults } from "../rules.ts";

export const testWebhook = defineOperation({
  ...webhooks.changeOfOne("webhook.test"),
  id: "webhooks.testWebhook",
  method: "POST",
  path: "/v1/webhooks/{webhook}/test",
  status: 202,
  summary: "Send a sample event to an endpoint",
  description:
    "Sends a `ping`, or a made-up sample of any event, whether the endpoint subscribed to it or not. It is signed and formatted like every delivery, has the header `aos-test`, and is in no event log. The delivery shows the result.",
  body: TestWebhookBody,
  output: Delivery,
  location: ({ webhook_id, delivery_id }) => `/v1/webhooks/${webhook_id}/deliveries/${delivery_id}`,
  example: {
    params: { webhook: exampleWebhook.webhook_id },
    body: { event: "task.approval_required" },
    output: { ...exampleSent, test: true, sequence: null },
  },
  validate: (_ctx, { body }) =>
    typeof body.event !== "string" || eventCatalogue().some(({ type }) => type === body.event)
      ? []
      : [...patternFaults([body.event], () => "/event"), wholeName].slice(0, 1),
  gate: exempt("makes no agent act"),
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
    const delivery = await insertTest(
      ctx,
      id,
      loaded,
      event.type,
      JSON.stringify(sampleOf(event, timestamp(ctx.now), given)),
    );
    ctx.enqueue(dueJob);
    return deliveryView(delivery, ctx.now);
  },
});

const wholeName = {
  pointer: "/event",
  code: "unknown_event",
  detail: "must be the whole name of one event, such as `task.completed`",
};
