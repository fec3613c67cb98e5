import type { StoredEvent } from "../../db/stored-events.ts";
import { isoTime, timestamp } from "../../kernel/clock.ts";
import { digestRevision } from "../../kernel/etag.ts";
import { agentOfBody } from "../../kernel/event-filter.ts";
import { bodyOf } from "../../kernel/event-format.ts";
import { madeAt } from "../../kernel/moment.ts";
import { pick } from "../../kernel/pick.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { RiskLevel } from "../../kernel/risk.ts";
import type { AttemptRow, DeliveryRow } from "./delivery-store.ts";
import type { Delivery, DeliveryAttempt, DeliveryDetail, Event, Webhook } from "./schemas.ts";
import type { WebhookRow } from "./store.ts";

const settings = ["url", "description", "events", "agents", "risks", "format", "rate_per_second", "state"] as const;

/** The revision of an endpoint's settings; the progress of its deliveries is not part of it. */
export const webhookRevision = (webhook: Pick<Webhook, (typeof settings)[number]>): string =>
  digestRevision(pick(webhook, settings));

export function webhookView(row: WebhookRow, now: number): Webhook {
  const overlap = Math.max(...row.previous_untils.map((until) => until.getTime()));
  return {
    webhook_id: row.id,
    ...pick(row, settings),
    ...pick(row, ["disabled_reason", "stopped_reason", "recovering", "created_by"]),
    withheld: row.withheld.map((start) => (start.endsWith(".") ? `${start}*` : start)),
    state_since: isoTime(row.state_since),
    missed_since: isoTime(row.missed_since),
    secret_overlap_until: overlap > now ? timestamp(overlap) : null,
    health: {
      last_success_at: isoTime(row.last_success_at),
      failing_since: isoTime(row.failing_since),
      last_failure: row.last_failure_at && {
        at: isoTime(row.last_failure_at),
        status: row.last_status,
        error: row.last_error,
      },
      pending: row.pending,
      next_attempt_at: isoTime(row.next_at),
    },
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

export function deliveryView(row: DeliveryRow, now: number): Delivery {
  const pending = row.state === "pending";
  const in_progress = pending && row.claimed_by !== null && row.next_at.getTime() > now;
  return {
    delivery_id: row.id,
    ...pick(row, ["webhook_id", "event_id", "sequence", "state", "attempts", "last_status", "last_error"]),
    event: row.type,
    test: row.sequence === null,
    in_progress,
    next_attempt_at: pending && !in_progress ? isoTime(row.next_at) : null,
    created_at: madeAt(row.id),
    finished_at: isoTime(row.finished_at),
  };
}

interface DetailParts {
  readonly webhook: WebhookRow;
  /** Undefined for a test, and if it is no longer kept. */
  readonly event: StoredEvent | undefined;
  readonly attempts: readonly AttemptRow[];
  readonly environment: Environment;
  readonly now: number;
}

export function deliveryDetail(
  row: DeliveryRow,
  { webhook, event, attempts, environment, now }: DetailParts,
): DeliveryDetail {
  const body = row.body ?? event?.body;
  const { event_id: id, type } = row;
  return {
    ...deliveryView(row, now),
    request_body:
      body === undefined
        ? null
        : bodyOf(webhook.format, { id, type, time: madeAt(id), taskId: event?.task_id ?? null, body }, environment),
    attempt_list: attempts.map((attempt) => attemptView(row, attempt, environment)),
  };
}

function attemptView(delivery: DeliveryRow, attempt: AttemptRow, environment: Environment): DeliveryAttempt {
  return {
    ...pick(attempt, ["number", "latency_ms", "url", "status", "error", "detail"]),
    started_at: isoTime(attempt.started_at),
    request_headers: {
      "webhook-id": delivery.event_id,
      "webhook-timestamp": String(Math.floor(attempt.started_at.getTime() / 1000)),
      "webhook-signature": attempt.signature,
      "aos-environment": environment,
      ...(delivery.sequence === null ? { "aos-test": "true" } : { "aos-sequence": String(delivery.sequence) }),
      ...(delivery.audit_id === null ? {} : { "aos-audit-ref": delivery.audit_id }),
    },
    response_excerpt: attempt.excerpt,
  };
}

export function eventView(row: StoredEvent): Event {
  const data = JSON.parse(row.body) as Event["data"];
  return {
    ...pick(row, ["event_id", "sequence", "type", "task_id"]),
    time: madeAt(row.event_id),
    agent: agentOfBody(data),
    risk: (row.risk ?? (typeof data.risk === "string" ? data.risk : null)) as RiskLevel | null,
    audit_ref: row.audit_id,
    data,
  };
}
