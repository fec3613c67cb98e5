import type { StoredEvent } from "../../db/stored-events.ts";
import { isoTime, timestamp } from "../../kernel/clock.ts";
import { digestRevision } from "../../kernel/etag.ts";
import { agentOfBody } from "../../kernel/event-filter.ts";
import { bodyOf } from "../../kernel/event-format.ts";
import { madeAt } from "../../kernel/moment.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { RiskLevel } from "../../kernel/risk.ts";
import type { AttemptRow, DeliveryRow } from "./delivery-store.ts";
import type { Delivery, DeliveryAttempt, DeliveryDetail, Event, Webhook } from "./schemas.ts";
import type { WebhookRow } from "./store.ts";

const timeOf = (date: Date | null): string | null => isoTime(date);

/** The revision of what people set of an endpoint; how its deliveries go is no part of it. */
export const webhookRevision = ({
  url,
  description,
  events,
  agents,
  risks,
  format,
  rate_per_second,
  state,
}: Settings): string => digestRevision({ url, description, events, agents, risks, format, rate_per_second, state });
type Settings = Pick<Webhook, "url" | "description" | "format" | "rate_per_second" | "state"> & {
  readonly events: readonly string[];
  readonly agents: readonly string[] | null;
  readonly risks: readonly string[] | null;
};

/** An endpoint as it is answered. */
export function webhookView(row: WebhookRow, now: number): Webhook {
  const { id, last_failure_at, last_status, last_error } = row;
  const overlap = Math.max(...row.previous_untils.map((until) => until.getTime()));
  return {
    webhook_id: id,
    url: row.url,
    description: row.description,
    events: [...row.events],
    withheld: row.withheld.map((start) => `${start}*`),
    agents: row.agents && [...row.agents],
    risks: row.risks && [...row.risks],
    format: row.format,
    rate_per_second: row.rate_per_second,
    state: row.state,
    state_since: isoTime(row.state_since),
    disabled_reason: row.disabled_reason,
    missed_since: timeOf(row.missed_since),
    recovering: row.recovering,
    secret_overlap_until: overlap > now ? timestamp(overlap) : null,
    health: {
      last_success_at: timeOf(row.last_success_at),
      failing_since: timeOf(row.failing_since),
      last_failure: last_failure_at && {
        at: isoTime(last_failure_at),
        status: last_status,
        error: last_error,
      },
      pending: row.pending,
      next_attempt_at: timeOf(row.next_at),
    },
    created_by: row.created_by,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** A delivery as it is answered. */
export function deliveryView(row: DeliveryRow, now: number): Delivery {
  const pending = row.state === "pending";
  const in_progress = pending && row.claimed_by !== null && row.next_at.getTime() > now;
  return {
    delivery_id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event: row.type,
    sequence: row.sequence,
    test: row.sequence === null,
    state: row.state,
    attempts: row.attempts,
    in_progress,
    last_status: row.last_status,
    last_error: row.last_error,
    next_attempt_at: pending && !in_progress ? isoTime(row.next_at) : null,
    created_at: madeAt(row.id),
    finished_at: timeOf(row.finished_at),
  };
}

/** A delivery with what is sent and what came of it. `event`: the event, where it is not a test. */
export function deliveryDetail(
  row: DeliveryRow,
  { webhook, event, attempts, environment, now }: DetailParts,
): DeliveryDetail {
  const told = row.body ?? event?.body ?? null;
  const time = madeAt(row.event_id);
  const whole =
    told === null ? null : { id: row.event_id, type: row.type, time, taskId: event?.task_id ?? null, body: told };
  return {
    ...deliveryView(row, now),
    request_body: whole && bodyOf(webhook.format, whole, environment),
    attempt_list: attempts.map((attempt) => attemptView(row, attempt, environment)),
  };
}
interface DetailParts {
  readonly webhook: WebhookRow;
  readonly event: StoredEvent | undefined;
  readonly attempts: readonly AttemptRow[];
  readonly environment: Environment;
  readonly now: number;
}

function attemptView(delivery: DeliveryRow, attempt: AttemptRow, environment: Environment): DeliveryAttempt {
  return {
    number: attempt.number,
    started_at: isoTime(attempt.started_at),
    latency_ms: attempt.latency_ms,
    url: attempt.url,
    request_headers: {
      "webhook-id": delivery.event_id,
      "webhook-timestamp": String(Math.floor(attempt.started_at.getTime() / 1000)),
      "webhook-signature": attempt.signature,
      "aos-environment": environment,
      ...(delivery.sequence === null ? { "aos-test": "true" } : { "aos-sequence": String(delivery.sequence) }),
      ...(delivery.audit_id === null ? {} : { "aos-audit-ref": delivery.audit_id }),
    },
    status: attempt.status,
    error: attempt.error,
    detail: attempt.detail,
    response_excerpt: attempt.excerpt,
  };
}

/** An event of the log as it is answered. */
export function eventView(row: StoredEvent): Event {
  const data = JSON.parse(row.body) as Event["data"];
  const said = data.risk;
  return {
    event_id: row.event_id,
    sequence: row.sequence,
    type: row.type,
    time: madeAt(row.event_id),
    agent: agentOfBody(data),
    risk: (row.risk ?? (typeof said === "string" ? said : null)) as RiskLevel | null,
    task_id: row.task_id,
    audit_ref: row.audit_id,
    data,
  };
}
