import type { InboxSource } from "../../../kernel/inbox.ts";

/** Endpoints to which the service has stopped sending: their events are stored and wait to be recovered. */
export const disabledWebhooks: InboxSource = {
  kind: "dead_letter",
  reads: "webhooks:read",
  acts: "webhooks:write",
  sql: `select w.id, 'Endpoint ' || w.url, case w.disabled_reason when 'gone' then 'It answered 410 Gone.' when 'failing' then 'Every attempt failed for five days.'
        else coalesce(w.stopped_reason, 'It was disabled.') end, null::text, null::text, w.state_since, null::timestamptz, null::text, null::text, null::text,
      null::text, true, '/webhooks/' || w.id
    from webhooks w
    where w.organization = $1 and w.environment = $2 and w.state = 'disabled' and w.removed_at is null and ($3::text[] is null or w.agents <@ $3)`,
};
