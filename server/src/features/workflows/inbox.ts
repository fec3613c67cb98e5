import type { InboxSource } from "../../kernel/inbox.ts";

/** Failed runs that nobody has settled. */
export const deadRuns: InboxSource = {
  kind: "dead_letter",
  reads: "workflows:read",
  acts: "workflows:run",
  narrowed: false, // concerns all agents that the run uses
  sql: `select l.run_id, 'Run of ' || l.workflow, coalesce(r.failure::json ->> 'detail', l.reason), null::text, null::text, l.at, null::timestamptz, null::text,
      l.run_id, l.workflow, null::text, true, '/workflows/' || l.workflow || '/runs/' || l.run_id
    from workflow_dead_letters l join workflow_runs r on r.organization = l.organization and r.environment = l.environment and r.id = l.run_id
    where l.organization = $1 and l.environment = $2 and l.settled_at is null and $3::text[] is null`,
};

/** Triggers that the service stopped: their schedules, events and hooks start no further runs. */
export const stoppedTriggers: InboxSource = {
  kind: "dead_letter",
  reads: "workflows:read",
  acts: "workflows:write",
  narrowed: false,
  sql: `select t.id, 'Trigger of ' || t.workflow, t.stopped_reason, null::text, null::text, t.stopped_at, null::timestamptz, null::text, null::text, t.workflow,
      null::text, true, '/workflows/' || t.workflow || '?tab=triggers'
    from workflow_triggers t
    where t.organization = $1 and t.environment = $2 and t.stopped_at is not null and $3::text[] is null`,
};
