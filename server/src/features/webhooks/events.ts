import { Type } from "typebox";
import { defineEvent } from "../../kernel/events.ts";
import { Time } from "../../kernel/schema-words.ts";
import { disabledReasons, WebhookId } from "./schemas.ts";

export const webhookDisabled = defineEvent({
  type: "webhook.disabled",
  summary:
    "The service sends nothing more to an endpoint, because it is gone or failed for days. Events go on being stored.",
  schema: Type.Object({
    event: Type.Literal("webhook.disabled"),
    webhook_id: WebhookId,
    url_host: Type.String({ description: "The host of its URL." }),
    reason: Type.Enum(disabledReasons, {
      description: "`gone`: it answered 410. `failing`: for five days every attempt failed.",
    }),
    failing_since: Type.Union([Time, Type.Null()], {
      description: "The first failure since the last success.",
    }),
    missed_since: Type.String({
      format: "date-time",
      description:
        "Since when events may not have been sent; `recover` sends them later, and what was given up before.",
    }),
  }),
});

/** Never in the event log: nothing happened. */
export const ping = defineEvent({
  type: "ping",
  summary: "Somebody tests an endpoint. Sent to that endpoint only, whatever it subscribed to.",
  schema: Type.Object({
    event: Type.Literal("ping"),
    webhook_id: WebhookId,
    sent_by: Type.String({ description: "Who asked for it, by id." }),
  }),
});
