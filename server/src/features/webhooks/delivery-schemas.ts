import { type Static, Type } from "typebox";
import { riskLevels } from "../../kernel/risk.ts";
import { nullable, Time } from "../../kernel/schema-words.ts";

// Deliveries, and the events that they carry.

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
