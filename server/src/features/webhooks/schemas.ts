import { type Static, Type } from "typebox";
import { agentNamePattern } from "../../kernel/agent-name.ts";
import { payloadFormats } from "../../kernel/event-format.ts";
import { SecretWithheld } from "../../kernel/idempotency.ts";
import { riskLevels } from "../../kernel/risk.ts";
import { closed, nullable, stoppedMembers, Time } from "../../kernel/schema-words.ts";

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
/** Why the service disables an endpoint by what it answers. */
export const answeredReasons = ["gone", "failing"] as const;
export const disabledReasons = [...answeredReasons, "stopped"] as const;

const options = {
  description: Type.Optional(Description),
  agents: Type.Optional(Agents),
  risks: Type.Optional(Risks),
  format: Type.Optional(Format),
  rate_per_second: Type.Optional(Rate),
};
export const CreateWebhookBody = Type.Object({ url: Url, events: Events, ...options }, closed);
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

export const ChangeWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    ...options,
    state: Type.Optional(
      Type.Enum(["enabled", "paused"] as const, {
        description:
          "`paused`: nothing is sent, and events go on being stored. `enabled`: pending deliveries are sent; `POST …/recover` sends what came meanwhile.",
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
      "Events, or groups of them, that are never sent to it, because whoever set its URL and events lacks a permission (`key.*` takes `admin:read`, `chat.*` `chat:read`). Events of a base or document with readers are held to those as well.",
  }),
  agents: nullable(Type.Array(Type.String()), "Only events of these agents; null: no such bound."),
  risks: nullable(
    Type.Array(Type.Enum(riskLevels)),
    "Only events of work of these levels of risk; null: no such bound.",
  ),
  format: Format,
  rate_per_second: nullable(Type.Integer(), "Most deliveries a second; null: no such bound."),
  state: Type.Enum(webhookStates, {
    description:
      "`disabled`: the service stopped sending; `disabled_reason` says why. PATCH enables it again: whoever enables one that stopped becomes its owner.",
  }),
  state_since: Time,
  disabled_reason: nullable(
    Type.Enum(disabledReasons),
    "`gone`: it answered 410. `failing`: for five days every attempt failed. `stopped`: see `stopped_reason`. Null: it is not disabled.",
  ),
  ...stoppedMembers,
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
          "How long deliveries carry a signature of the secret that was replaced, too; at most 7 days, 24 hours by default. 0: of the new one alone, also where earlier secrets had longer.",
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
        description: "The name of the event of which a sample is sent; `ping` by default.",
      }),
    ),
  },
  closed,
);
export type TestWebhookBody = Static<typeof TestWebhookBody>;

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const DeliveryStateName = Type.Enum(deliveryStates, {
  description:
    "`pending`: it is attempted, now or at `next_attempt_at`. `delivered`: the endpoint took it. `failed`: all attempts failed; `retry` and `recover` send it again. `cancelled`: the endpoint was removed, or does not get such events any more.",
});

const Failure = nullable(
  Type.String(),
  "Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout`, or what kept it from being sent, such as `connect_failed`, `tls_failed`, `address_refused`; " +
    "`interrupted` where the service ended in its middle; `filtered`: it was not sent any more, because the endpoint's events, agents, risks or what is withheld from it leave it out by now. Null: it did not fail, or there was none.",
);
const Status = nullable(Type.Integer(), "The status of the answer; null: none came.");

export const Delivery = Type.Object({
  delivery_id: Type.String(),
  webhook_id: Type.String(),
  event_id: Type.String({ description: "The event, `webhook-id` of every attempt." }),
  event: Type.String({ description: "The event's name." }),
  sequence: nullable(Type.Integer(), "The event's place among those of its environment; null: a test."),
  test: Type.Boolean({ description: "A sample that somebody asked for; its event is in no log." }),
  state: DeliveryStateName,
  attempts: Type.Integer({ minimum: 0, description: "How often it was attempted. 0: never sent." }),
  in_progress: Type.Boolean({ description: "An attempt runs at this moment." }),
  last_status: Status,
  last_error: Failure,
  next_attempt_at: nullable(Time, "Null: none follows, or one runs."),
  created_at: Time,
  finished_at: nullable(Time, "When it was taken or given up; null: it is pending."),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryAttempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  started_at: Time,
  latency_ms: nullable(
    Type.Integer({ minimum: 0 }),
    "From the start until the answer was read, or the attempt had failed; null: not known.",
  ),
  url: Type.String(),
  request_headers: Type.Record(Type.String(), Type.String(), {
    description: "As they were sent; `aos-checkpoint`, which is of the moment, is left out.",
  }),
  status: Status,
  error: Failure,
  detail: nullable(Type.String(), "What went wrong, in one sentence; null: nothing."),
  response_excerpt: nullable(
    Type.String(),
    "The beginning of the answer's body, at most 1,024 characters; null: there was none.",
  ),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  request_body: nullable(
    Type.String(),
    "What is sent, byte for byte in the endpoint's present format, as it is signed; null: the event is no longer kept.",
  ),
  attempt_list: Type.Array(DeliveryAttempt, { description: "The newest 100, oldest first." }),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** An event of the log. */
export const Event = Type.Object({
  event_id: Type.String(),
  sequence: Type.Integer({
    minimum: 1,
    description: "Its place among the events of its environment: gapless, in the order of commits.",
  }),
  type: Type.String({ description: "Its name." }),
  time: Time,
  agent: nullable(Type.String(), "The agent that it concerns; null: none."),
  risk: nullable(Type.Enum(riskLevels), "The level of the task that it belongs to; null: it belongs to none."),
  task_id: nullable(Type.String(), "The task that it belongs to; null: none."),
  audit_ref: nullable(Type.String(), "The audit record of the call that caused it."),
  data: Type.Record(Type.String(), Type.Unknown(), { description: "The flat body, as it is sent." }),
});
export type Event = Static<typeof Event>;

export const EventTypeView = Type.Object({
  event: Type.String(),
  summary: Type.String(),
  permission: nullable(Type.String(), "What reading it takes beyond `webhooks:read`; null: nothing."),
  schema: Type.Record(Type.String(), Type.Unknown(), { description: "The JSON Schema of its flat body." }),
  example: Type.Record(Type.String(), Type.Unknown()),
});
