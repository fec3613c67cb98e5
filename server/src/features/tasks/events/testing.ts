import type { TaskState } from "../schemas.ts";

// Tasks and events as calls store them, without the calls: for tests of what follows them.

export const scope = { organization: "default", environment: "development" } as const;

interface Pool {
  query<R>(text: string, values: readonly unknown[]): Promise<{ rows: R[] }>;
}

export async function insertTask(pool: Pool, id: string): Promise<void> {
  await pool.query(
    `insert into tasks (organization, environment, id, agent, version_id, version_number, skill, input, trust_score, trust, risk_level, risk, audit_ref,
       principal, subject, event_count)
     values ('default', 'development', $1, 'sales', 'ver_of_the_test', 1, 'qualify_lead', '{}', 0.5, '{}', 'low', '{}', 'aud_of_the_test', 'test', $1, 0)`,
    [id],
  );
}

/** Moves a task on and stores its next event in the same transaction. Returns the event's sequence. */
export async function appendEvent(
  pool: Pool,
  task: string,
  eventId: string,
  status: TaskState = "running",
): Promise<number> {
  const { rows } = await pool.query<{ sequence: number }>(
    `with moved as (
       update tasks set status = $3, event_count = event_count + 1 where organization = 'default' and environment = 'development' and id = $1
       returning event_count)
     insert into events (organization, environment, id, n, type, task_id, task_sequence, body)
     select 'default', 'development', $2, 0, 'task.' || $3, $1, event_count, json_build_object('event', 'task.' || $3, 'status', $3)::text from moved
     returning task_sequence as sequence`,
    [task, eventId, status],
  );
  return rows[0]?.sequence as number;
}
