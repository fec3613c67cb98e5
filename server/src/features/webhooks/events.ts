import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { Time } from "../../kernel/schema-words.ts";
import { answeredReasons, WebhookId } from "./schemas.ts";

export const webhookDisabled = defineEvent({
  type: "webhook.disabled",
  summary: "A webhook endpoint was disabled because it is gone or failed for days. Its events are still stored.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("webhook.disabled"),
    webhook_id: WebhookId,
    url_host: Type.String({ description: "The host of its URL." }),
    reason: Type.Enum(answeredReasons, {
      description: "`gone`: it responded with 410. `failing`: every attempt failed for five days.",
    }),
    failing_since: Type.Union([Time, Type.Null()], {
      description: "The first failure since the last success.",
    }),
    missed_since: Type.String({
      format: "date-time",
      description: "Events since then may be missing. `recover` sends them, and dead letters from before.",
    }),
  }),
});

/** Never in the event log. */
export const ping = defineEvent({
  type: "ping",
  summary: "A test of an endpoint. Sent to that endpoint only, whatever it subscribes to.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("ping"),
    webhook_id: WebhookId,
    sent_by: Type.String({ description: "Who requested the test, by id." }),
  }),
});
