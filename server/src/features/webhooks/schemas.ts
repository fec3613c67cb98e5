import { type Static, Type } from "typebox";
import { agentNamePattern } from "../../kernel/agent-name.ts";
import { payloadFormats } from "../../kernel/event-format.ts";
import { SecretWithheld } from "../../kernel/idempotency.ts";
import { riskLevels } from "../../kernel/risk.ts";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";

export const WebhookId = Type.String({ description: "The endpoint's id, `whk_…`." });
export const DeliveryId = Type.String({ description: "The delivery's id, `dlv_…`." });
export const EventId = Type.String({ description: "The event's id, `evt_…`; `webhook-id` of its deliveries." });

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    "Where events are sent, by POST: https, at a public address. In development http to this machine is taken as well.",
});
const Events = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: "A name (`task.completed`), a group (`task.*`), or `*` for all.",
  }),
  {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: "Which events are sent. `GET /v1/webhooks/event-types` lists them.",
  },
);
const Description = Type.String({ maxLength: 500, description: "What it is for, for people." });
const Agents = nullable(
  Type.Array(Type.String({ pattern: agentNamePattern }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  "Only events of these agents; those that concern no agent are not sent then. Null: no such bound.",
);
const Risks = nullable(
  Type.Array(Type.Enum(riskLevels), { minItems: 1, uniqueItems: true }),
  "Only events of work of these levels of risk. Null: no such bound.",
);
const Format = Type.Enum(payloadFormats, {
  description:
    "`flat`: `{event, …}`, all metadata in headers. `standard`: `{type, timestamp, data}` of Standard Webhooks. `cloudevents`: CloudEvents 1.0, structured.",
});
const Rate = nullable(
  Type.Integer({ minimum: 1, maximum: 1_000 }),
  "Most deliveries a second, whichever processes send them; what is over that waits. Null: no such bound.",
);

export const webhookStates = ["enabled", "paused", "disabled"] as const;
export type WebhookState = (typeof webhookStates)[number];
export const disabledReasons = ["gone", "failing"] as const;

export const CreateWebhookBody = Type.Object(
  {
    url: Url,
    events: Events,
    description: Type.Optional(Description),
    agents: Type.Optional(Agents),
    risks: Type.Optional(Risks),
    format: Type.Optional(Format),
    rate_per_second: Type.Optional(Rate),
  },
  closed,
);
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

export const ChangeWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    agents: Type.Optional(Agents),
    risks: Type.Optional(Risks),
    format: Type.Optional(Format),
    rate_per_second: Type.Optional(Rate),
    state: Type.Optional(
      Type.Enum(["enabled", "paused"] as const, {
        description:
          "`paused`: nothing is sent, and events go on being stored. `enabled`: it goes on with what waits; `POST …/recover` sends what came meanwhile.",
      }),
    ),
  },
  { ...closed, minProperties: 1 },
);
export type ChangeWebhookBody = Static<typeof ChangeWebhookBody>;

/** How deliveries to an endpoint go. */
export const WebhookHealth = Type.Object({
  last_success_at: nullable(Time, "When a delivery was last taken; null: never."),
  failing_since: nullable(
    Time,
    "The first failure since the last success; null: the last attempt went well, or there was none.",
  ),
  last_failure: nullable(
    Type.Object({
      at: Time,
      status: nullable(Type.Integer(), "The status of the answer; null: none came."),
      error: nullable(Type.String(), "The class of the error."),
    }),
    "The last attempt that failed; null: none did.",
  ),
  pending: Type.Integer({ minimum: 0, description: "Deliveries that wait for an attempt; counted up to 10,000." }),
  next_attempt_at: nullable(Time, "When the next of them is attempted; null: none waits."),
});

export const Webhook = Type.Object({
  webhook_id: WebhookId,
  url: Type.String(),
  description: Type.String(),
  events: Type.Array(Type.String()),
  withheld: Type.Array(Type.String(), {
    description:
      "Groups of events that are never sent to it, because whoever set its URL and events may not read them (`key.*` takes `admin:read`, `audit.*` `audit:read`).",
  }),
  agents: nullable(Type.Array(Type.String()), "Only events of these agents; null: no such bound."),
  risks: nullable(
    Type.Array(Type.Enum(riskLevels)),
    "Only events of work of these levels of risk; null: no such bound.",
  ),
  format: Format,
  rate_per_second: nullable(Type.Integer(), "Most deliveries a second; null: no such bound."),
  state: Type.Enum(webhookStates, {
    description: "`disabled`: the service stopped sending; `disabled_reason` says why. PATCH enables it again.",
  }),
  state_since: Time,
  disabled_reason: nullable(
    Type.Enum(disabledReasons),
    "`gone`: it answered 410. `failing`: for five days every attempt failed. Null: it is not disabled.",
  ),
  missed_since: nullable(
    Time,
    "Since when events may not have been sent: it was paused or disabled then, or every attempt failed from then on. `POST …/recover` sends them, and what was given up before. Null: it was neither paused nor disabled since the last recovery.",
  ),
  recovering: Type.Boolean({
    description: "Events since an earlier time are being looked through for what was missed.",
  }),
  secret_overlap_until: nullable(
    Time,
    "Until when deliveries are signed with earlier secrets as well; null: with the present one only.",
  ),
  health: WebhookHealth,
  created_by: Type.String({ description: "Who made it, by id." }),
  created_at: Time,
  updated_at: Time,
});
export type Webhook = Static<typeof Webhook>;

const Secret = Type.Optional(
  Type.String({
    description:
      "`whsec_` and the base64 of 32 bytes: signs its deliveries. It is shown this once and cannot be read again.",
  }),
);
export const CreatedWebhook = Type.Object({ ...Webhook.properties, secret: Secret, secret_withheld: SecretWithheld });
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const RotateSecretBody = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description:
          "How long deliveries carry a signature of the secret that was replaced, too; at most 7 days, 24 hours unless told. 0: of the new one alone, also where earlier secrets had longer.",
      }),
    ),
  },
  closed,
);
export type RotateSecretBody = Static<typeof RotateSecretBody>;

export const RecoverBody = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Left out: `missed_since` of the endpoint, and whatever was given up before.",
      }),
    ),
  },
  closed,
);
export type RecoverBody = Static<typeof RecoverBody>;

export const Recovery = Type.Object({
  webhook_id: WebhookId,
  since: Time,
  after_sequence: Type.Integer({ minimum: 0, description: "Events above this sequence are looked through." }),
  up_to_sequence: Type.Integer({ minimum: 0, description: "The newest event; what comes later is sent as usual." }),
});
export type Recovery = Static<typeof Recovery>;

export const RemovedWebhook = Type.Object({ webhook_id: WebhookId, removed: Type.Literal(true) });

export const TestWebhookBody = Type.Object(
  {
    event: Type.Optional(
      Type.String({
        maxLength: 100,
        description: "The name of the event of which a sample is sent; `ping` unless told.",
      }),
    ),
  },
  closed,
);
export type TestWebhookBody = Static<typeof TestWebhookBody>;

export * from "./delivery-schemas.ts";
