import type pg from "pg";
import type { Finding } from "./torture-findings.ts";
import type { Group } from "./torture-ledger.ts";

// Work that is under way: it must come to its end without any further call. What waits for people may wait.

/** A task of the run waits for people, or the run itself asks them. */
const asks = (run: string): string => `exists (
  select from tasks t where t.run_id = ${run} and t.status in ('awaiting_approval', 'input_required')
  union all select from approvals a where a.task_id like ${run} || '%' and a.status = 'pending')`;

/** Statements that answer `id` and `state` of what is not at its end. */
const sources: readonly (readonly [Group, string, string])[] = [
  ["tasks", "task", "select id, status as state from tasks where status in ('queued', 'running')"],
  [
    "tasks",
    "approved task",
    `select t.id, t.status as state from tasks t join approvals a on a.id = t.approval_id
     where t.status = 'awaiting_approval' and a.status <> 'pending' and a.status <> 'changes_requested'`,
  ],
  ["chat", "turn", "select id, state from chat_turns where state in ('queued', 'running')"],
  [
    "chat",
    "message",
    `select m.id, m.status as state from chat_messages m left join chat_turns t on t.id = m.turn
     where m.status in ('queued', 'streaming')
       or m.status = 'waiting' and coalesce(t.state not in ('awaiting_approval', 'input_required'), true)`,
  ],
  ["chat", "delivery of a channel", "select message as id, state from chat_deliveries where state = 'waiting'"],
  [
    "workflows",
    "run",
    `select id, status as state from workflow_runs r where status in ('queued', 'running', 'compensating')
       and not ${asks("r.id")}`,
  ],
  [
    "workflows",
    "waiting run",
    `select id, status || ' in ' || workflow as state from workflow_runs r
     where status = 'waiting' and workflow not in ('torture-asking', 'torture-waiting') and not ${asks("r.id")}`,
  ],
  ["workflows", "firing", "select trigger_id || ' ' || occasion as id, 'waits' as state from workflow_firings"],
  [
    "missions",
    "mission",
    `select id, status as state from missions m where status = 'running' and not ${asks("coalesce(m.run_id, '')")}`,
  ],
  ["evaluations", "run", "select id, state from evaluation_runs where state in ('queued', 'running')"],
  ["evaluations", "shadow run", "select id, state from shadow_runs where state in ('queued', 'running')"],
  ["agents", "training", "select id, state from training_jobs where state not in ('completed', 'failed', 'cancelled')"],
  ["knowledge", "document", "select id, state from documents where state not in ('indexed', 'failed')"],
  ["knowledge", "sync", "select id, state from knowledge_syncs where state in ('queued', 'running')"],
  ["knowledge", "removed connector", "select id, state from knowledge_connectors where state = 'removing'"],
  ["audit", "export", "select id, state from audit_exports where state in ('queued', 'running')"],
  [
    "audit",
    "record without a place in the log",
    `select id, 'waits' as state from (select organization, environment, id from audit_records
       except all select organization, environment, record_id from audit_leaves) r`,
  ],
  [
    "webhooks",
    "event without a sequence",
    `select id, 'waits' as state from (select organization, environment, id from events
       except all select organization, environment, event_id from event_positions) e`,
  ],
  [
    "webhooks",
    "delivery",
    `select id, state || ', ' || attempts || ' attempts, next ' || next_at as state from deliveries where state = 'pending'`,
  ],
  ["marketplace", "install", "select id, state from marketplace_installs where state = 'installing'"],
  [
    "analytics",
    "rebuild",
    "select requested_by as id, 'runs' as state from analytics_rebuilds where finished_at is null",
  ],
];

/** What is not at its end now. */
export async function underWay(pool: pg.Pool): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [group, name, text] of sources) {
    const { rows } = await pool.query<{ id: string; state: string }>(`${text} limit 200`);
    found.push(...rows.map(({ id, state }): Finding => ({ group, kind: "stuck", what: `${name} ${id}: ${state}` })));
  }
  return found;
}

/** Wake-ups that nobody takes, for a line of the report: the truth is the row that each names. */
export async function idleJobs(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select count(*) || ' × ' || t.identifier
       || case when j.locked_at is null then ', ready' else ', locked since ' || date_trunc('second', min(j.locked_at)) end
       || ', attempts ' || min(j.attempts) || '–' || max(j.attempts) as line
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where coalesce(j.locked_at, j.run_at) < now() - interval '30 seconds' group by t.identifier, j.locked_at is null`,
  );
  return rows.map(({ line }) => line);
}
