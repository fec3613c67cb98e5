import { setTimeout as delay } from "node:timers/promises";
import type { Step, WorkflowDefinition } from "@aos/workflow";
import type { Service } from "../service.ts";

let frozen = 0;

/** A frozen version of a workflow. Answers its name. */
export async function freeze(
  { pool }: Service,
  steps: readonly Step[],
  more: Partial<WorkflowDefinition> = {},
): Promise<string> {
  const workflow = `bench_${++frozen}`;
  await pool.query(
    `insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ('default', $1, 'bench', '{}', now(), now(), 'bench')`,
    [workflow],
  );
  await pool.query(
    `insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at)
     values ('default', $1, 1, 'wfv_' || $1, $2, '', 'bench', now())`,
    [workflow, JSON.stringify({ ...more, workflow, steps })],
  );
  return workflow;
}

/** Runs as they are when somebody has just started them, with a wake-up each. */
export async function startRuns(service: Service, workflow: string, count: number, input: unknown = {}): Promise<void> {
  await service.pool.query(
    `with started as (
       insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, actor, audit_ref, created_at, updated_at, wake_at)
       select 'default', 'development', 'wfr_' || lpad($1 || '0' || n, 26, '0'), $1, 1, 'wfv_' || $1, 'queued', $3, 'manual',
         (select id from members order by id limit 1),
         (select jsonb_build_object('owner', id, 'credential', '{"session": null}'::jsonb, 'bounds', '{"role": null, "scopes": null, "agents": null, "environment": "development"}'::jsonb, 'persons', '[]'::jsonb) from members order by id limit 1), 'aud_0', now(), now(), now()
       from generate_series((select count(*) from workflow_runs where workflow = $1) + 1, (select count(*) from workflow_runs where workflow = $1) + $2) n
       returning id)
     select count(*) from graphile_worker.add_jobs(array(
       select ('advance_workflow_run', json_build_object('organization', 'default', 'environment', 'development', 'run', id), null, null, null, 'run ' || id, 0, null)::graphile_worker.job_spec
       from started))`,
    [workflow, count, JSON.stringify(input)],
  );
}

/** Waits until so many runs of a workflow are in one of these states; throws where that takes too long, or where one fails. */
export async function untilRuns(
  { pool }: Service,
  workflow: string,
  count: number,
  statuses: readonly string[],
  limitMs = 600_000,
): Promise<void> {
  for (const limit = Date.now() + limitMs; ; await delay(10)) {
    const { rows } = await pool.query<{ reached: number; failed: string | null }>(
      `select count(*) filter (where status = any($2))::int as reached, min(failure) filter (where status = 'failed') as failed
       from workflow_runs where workflow = $1`,
      [workflow, statuses],
    );
    const { reached, failed } = rows[0] as (typeof rows)[0];
    if (failed !== null) throw new Error(`a run of ${workflow} failed: ${failed}`);
    if (reached >= count) return;
    if (Date.now() > limit) throw new Error(`${reached} of ${count} runs of ${workflow} are ${statuses.join(" or ")}`);
  }
}

/** Seconds from the start of so many runs, all at once, until the last is seen to have completed. A run's `finished_at` is the time at which its last look began. */
export async function take(service: Service, workflow: string, count: number, input: unknown = {}): Promise<number> {
  const { rows } = await service.pool.query<{ n: number }>(
    "select count(*)::int as n from workflow_runs where workflow = $1",
    [workflow],
  );
  const before = rows[0]?.n ?? 0;
  const began = Date.now();
  await startRuns(service, workflow, count, input);
  await untilRuns(service, workflow, before + count, ["completed"]);
  return (Date.now() - began) / 1000;
}

/** How late the waits of a workflow's runs ended, in milliseconds, by what their inputs say (`at`, RFC 3339). */
export async function lateness({ pool }: Service, workflow: string): Promise<number[]> {
  const { rows } = await pool.query<{ late: number }>(
    `select (extract(epoch from s.finished_at - (r.input::json ->> 'at')::timestamptz) * 1000)::float8 as late
     from workflow_runs r join workflow_steps s on s.organization = r.organization and s.environment = r.environment and s.run_id = r.id
     where r.workflow = $1 and s.kind = 'wait' and s.status = 'completed'`,
    [workflow],
  );
  return rows.map(({ late }) => late);
}
