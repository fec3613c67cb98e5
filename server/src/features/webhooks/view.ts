import { eventJson, type StoredEvent } from "../../db/stored-events.ts";
import { isoTime } from "../../kernel/clock.ts";
import { agentOfBody } from "../../kernel/event-filter.ts";
import { bodyOf } from "../../kernel/event-format.ts";
import { madeAt } from "../../kernel/moment.ts";
import { pick } from "../../kernel/pick.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { RiskLevel } from "../../kernel/risk.ts";
import type { AttemptRow, DeliveryRow } from "./deliveries/store.ts";
import type { WebhookRow } from "./endpoints/view.ts";
import type { Delivery, DeliveryAttempt, DeliveryDetail, Event } from "./schemas.ts";

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
  const data = eventJson(row, "body");
  return {
    ...pick(row, ["event_id", "sequence", "type", "task_id"]),
    time: madeAt(row.event_id),
    agent: agentOfBody(data),
    risk: (row.risk ?? (typeof data.risk === "string" ? data.risk : null)) as RiskLevel | null,
    audit_ref: row.audit_id,
    data,
  };
}
