import type { Statements } from "../../../kernel/machines.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { runTaskJob } from "../../tasks/public.ts";

// What the sweeper looks for, over all scopes: it is a machine of the installation, not a call.

/** A task with its scope. */
export interface TaskAddress {
  organization: string;
  environment: Environment;
  id: string;
}

/** Running tasks whose worker did not prolong their lease, the longest lapsed first. */
export async function listLapsedTasks(db: Statements, most: number): Promise<TaskAddress[]> {
  return db.query<TaskAddress>(
    `select organization, environment, id from tasks where status = 'running' and lease_until < now() order by lease_until limit $1`,
    [most],
  );
}

/** Waiting tasks beyond their deadline. */
export async function listOverdueTasks(db: Statements, most: number): Promise<TaskAddress[]> {
  return db.query<TaskAddress>(
    `select organization, environment, id from tasks
     where deadline < now() and status in ('queued', 'awaiting_approval', 'input_required') order by deadline limit $1`,
    [most],
  );
}

/** Whether a stop or a pause keeps a queued task `t` from being started: waking workers for it would only keep them from others. */
const isHeld = `(
  exists (select from kill_switches s
    where s.released_at is null and s.mode <> 'drain' and s.organization = t.organization and (s.environment = t.environment or s.kind = 'all')
      and case s.kind when 'all' then true when 'environment' then true when 'agent' then s.target = t.agent when 'version' then s.target = t.version_id
        when 'skill' then s.target = t.agent || '.' || t.skill
        when 'tool' then s.mode = 'pause' and exists (select from agent_versions v, jsonb_array_elements(v.definition -> 'skills') k
          where v.organization = t.organization and v.id = t.version_id and k ->> 'name' = t.skill and k -> 'tools' ? s.target)
        when 'model' then s.mode = 'pause' and exists (select from agent_versions v where v.organization = t.organization and v.id = t.version_id
          and coalesce(v.definition #>> '{model,name}', v.definition #>> '{model,provider}') = s.target)
        else false end)
  or exists (select from agent_pauses p
    where p.organization = t.organization and p.environment = t.environment and p.agent = t.agent and p.mode = 'cancel'))`;

/**
 * Wakes workers for tasks that have been queued for more than five seconds and for which the sweeper has no wake-up waiting: whatever became of the
 * first one (a worker that could not decide, a process that died with it), no queued task is forgotten. The key keeps it to one per task.
 */
export async function wakeForgottenTasks(db: Statements, most: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `with forgotten as (
       select t.organization, t.environment, t.id, t.priority from tasks t
       where t.status = 'queued' and t.updated_at < now() - interval '5 seconds' and (t.deadline is null or t.deadline > now())
         and (t.not_before is null or t.not_before <= now()) and not ${isHeld}
         and not exists (select from graphile_worker.jobs j where j.key = t.id and j.locked_at is null and j.attempts < j.max_attempts
           and j.run_at <= now())
       order by t.updated_at limit $1),
     woken as (select graphile_worker.add_jobs(array(
       select ($2, json_build_object('organization', f.organization, 'environment', f.environment, 'task', f.id, 'priority', f.priority), null, null, null, f.id,
               -f.priority, null)::graphile_worker.job_spec from forgotten f)))
     select count(*)::int as n from woken`,
    [most, runTaskJob],
  );
  return row?.n ?? 0;
}

/**
 * Clears what dispatches keep for repetition of at most `most` tasks with ids below `before`, the oldest first. Tasks that a call holds are left for
 * later. The partial index `tasks_repeatable` holds only tasks with a key that is not cleared, in the order of ids.
 */
export async function clearIdempotency(db: Statements, before: string, most: number): Promise<void> {
  await db.query(
    `with old as (
       select organization, environment, id from tasks
       where idempotency_hash is not null and id < $1 order by id limit $2 for update skip locked)
     update tasks t set idempotency_hash = null, request_digest = null, answer = null from old
     where t.organization = old.organization and t.environment = old.environment and t.id = old.id`,
    [before, most],
  );
}
