import type { EndpointSight } from "../../../db/endpoint-sight.ts";
import type { Row } from "../../../db/scoped.ts";
import { isoTime } from "../../../kernel/clock.ts";
import { digestRevision } from "../../../kernel/etag.ts";
import { pick } from "../../../kernel/pick.ts";
import type { RiskLevel } from "../../../kernel/risk.ts";
import type { StoredRow } from "../../../resources/rows.ts";
import { overlapUntil } from "../../../resources/secrets.ts";
import type { Webhook } from "../schemas.ts";

export interface WebhookTexts {
  readonly risks: RiskLevel[] | null;
}
export type StoredWebhook = StoredRow<"webhooks", WebhookTexts>;

/** The outcome of the last attempts, what waits, and the role that who set it up has now. */
export type WebhookHealth = Pick<
  Row<"webhook_health">,
  "last_success_at" | "failing_since" | "last_failure_at" | "last_status" | "last_error"
> &
  Pick<EndpointSight, "role_now"> & { readonly pending: number; readonly next_at: Date | null };
export type WebhookRow = StoredWebhook & WebhookHealth;

const settings = ["url", "description", "events", "agents", "risks", "format", "rate_per_second", "state"] as const;

/** The revision of an endpoint's settings; the progress of its deliveries is not part of it. */
export const webhookRevision = (webhook: Pick<Webhook, (typeof settings)[number]>): string =>
  digestRevision(pick(webhook, settings));

export function webhookView(row: WebhookRow, now: number): Webhook {
  return {
    webhook_id: row.id,
    ...pick(row, settings),
    ...pick(row, ["disabled_reason", "stopped_reason", "created_by"]),
    recovering: row.recover_after !== null,
    withheld: row.withheld.map((start) => (start.endsWith(".") ? `${start}*` : start)),
    state_since: isoTime(row.state_since),
    missed_since: isoTime(row.missed_since),
    secret_overlap_until: isoTime(overlapUntil(row, now)),
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
