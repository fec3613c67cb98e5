import type { EventType } from "../kernel/events.ts";
import type { Components } from "./components.ts";
import type { Json } from "./schema.ts";

const header = (name: string, description: string, schema: Json, example: unknown, required = true): Json => ({
  name,
  in: "header",
  required,
  description,
  schema,
  example,
});

/** The headers of a delivery: Standard Webhooks, and what we add. The body itself is flat and carries no metadata. */
export const webhookParameters: Readonly<Record<string, Json>> = {
  WebhookId: header(
    "webhook-id",
    "The event's id; the same on every attempt.",
    { type: "string" },
    "evt_01jd8x0000000000000000000g",
  ),
  WebhookTimestamp: header(
    "webhook-timestamp",
    "When this attempt was sent, in seconds since 1970.",
    { type: "integer", format: "int64", minimum: 0 },
    1795167000,
  ),
  WebhookSignature: header(
    "webhook-signature",
    "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the endpoint's secret; several, separated by spaces, while a secret is being replaced.",
    { type: "string" },
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  AosEnvironment: header(
    "aos-environment",
    "The environment of the event.",
    { type: "string", enum: ["development", "staging", "production"] },
    "development",
  ),
  AosSequence: header(
    "aos-sequence",
    "The event's number in its environment, without gaps, in commit order. Absent on test events.",
    { type: "integer", format: "int64", minimum: 1 },
    42,
    false,
  ),
  AosTest: header(
    "aos-test",
    "`true` on a test event, which is not in the event log.",
    { type: "string", enum: ["true"] },
    "true",
    false,
  ),
  AosAuditRef: header(
    "aos-audit-ref",
    "The audit record of the call that caused the event.",
    { type: "string" },
    "aud_01jd8x0000000000000000000b",
  ),
  AosCheckpoint: header(
    "aos-checkpoint",
    "The latest signed checkpoint of the audit log, in base64.",
    { type: "string" },
    "YW9zL2RlZmF1bHQvZGV2ZWxvcG1lbnQK",
    false,
  ),
};

/** The `webhooks` section: one entry for each declared event. */
export function webhooksOf(events: readonly EventType[], components: Components): Json {
  return Object.fromEntries(events.map((event) => [event.type, { post: delivery(event, components) }]));
}

function delivery({ type, summary, schema }: EventType, components: Components): Json {
  return {
    operationId: `webhook.${type}`,
    tags: ["webhooks"],
    summary,
    description: `${summary} Delivered at least once; repeated deliveries have the same \`webhook-id\`.`,
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { "application/json": { schema: components.schema(schema) } } },
    responses: {
      "2XX": { description: "Delivered. Any other status is retried." },
      "410": { description: "The endpoint is gone and is disabled at once." },
    },
  };
}
