import { wake } from "../../../../jobs/queue.ts";
import type { Statements, Sweep, SweepParts } from "../../../../kernel/machines.ts";
import type { Environment } from "../../../../kernel/principal.ts";
import { taskRows } from "../../../tasks/shared-rows.ts";
import { endedRun, endedTask } from "../outcome-store.ts";

/** The job that advances runs when they are due. */
export const advanceRunsJob = "advance_workflow_runs";

/** How far ahead the sweep looks (milliseconds): more than the time between two sweeps. */
const aheadMs = 1_500;
/** Most runs of one sweep, and of one job. */
const mostDue = 20_000;
const runsOfJob = 250;
/** A run still due so long after its wake-up is woken again: the worker may be gone (milliseconds). */
const againAfterMs = 10_000;
/** Sweeps between those for forgotten runs. */
const forgottenEvery = 5;

/** Wakes workers for runs that are almost due, and for those that no wake-up reached. */
export function createDueSweep(): Sweep {
  let woken = new Map<string, number>();
  let looks = 0;
  return {
    name: "workflows.due",
    async run({ db, now }) {
      woken = new Map([...woken].filter(([, at]) => at > now - againAfterMs));
      const due = await findDueRuns(db, new Date(now + aheadMs), mostDue);
      const news = due.filter(({ id, at }) => !woken.has(`${id} ${at}`));
      for (const { id, at } of news) woken.set(`${id} ${at}`, now);
      await wakeAll(db, news);
      looks += 1;
      if (looks % forgottenEvery === 0) await wakeAll(db, await findForgottenRuns(db, mostDue));
    },
  };
}

async function wakeAll(db: SweepParts["db"], due: readonly RunAddress[]): Promise<void> {
  const byScope = Map.groupBy(due, ({ organization, environment }) => `${organization} ${environment}`);
  const jobs = [...byScope.values()].flatMap((some) => {
    const { organization, environment } = some[0] as RunAddress;
    return Array.from({ length: Math.ceil(some.length / runsOfJob) }, (_none, page) => ({
      task: advanceRunsJob,
      payload: {
        organization,
        environment,
        runs: some.slice(page * runsOfJob, (page + 1) * runsOfJob).map(({ id, at }) => ({ run: id, at })),
      },
    }));
  });
  await wake(db, jobs);
}

// Over all scopes: a machine of the installation, not a call.

/** A run with its scope and due time (milliseconds since the epoch). */
export interface RunAddress {
  readonly organization: string;
  readonly environment: Environment;
  readonly id: string;
  readonly at: number;
}

/** Runs due before a moment, the longest due first. */
const findDueRuns = (db: Statements, before: Date, most: number): Promise<RunAddress[]> =>
  db.query(
    `select organization, environment, id, (extract(epoch from wake_at) * 1000)::float8 as at from workflow_runs
     where wake_at < $1 order by wake_at limit $2`,
    [before, most],
  );

/** Whether no item of the loop `s` is under way, or one has ended and was not taken. */
const isStalled = `not exists (select from workflow_items i where i.organization = s.organization and i.environment = s.environment
    and i.run_id = s.run_id and i.step = s.step and i.attempt = s.attempt and i.status = 'running')
  or exists (select from workflow_items i
    left join ${taskRows} x on x.organization = i.organization and x.environment = i.environment and x.id = i.task_id
    left join workflow_runs r on r.organization = i.organization and r.environment = i.environment and r.id = i.child_run
    where i.organization = s.organization and i.environment = s.environment and i.run_id = s.run_id and i.step = s.step and i.attempt = s.attempt
      and i.status = 'running' and (x.id is null and r.id is null and i.failure is null or i.failure is not null
        or x.finished_at < now() - interval '5 seconds' or r.finished_at < now() - interval '5 seconds'))`;

/**
 * Runs with a step for which something is to be done and has not been for a while: nothing was made for it, what was made for it has ended, or its loop has
 * stopped. And runs that have not begun; of those that wait for a place, the first of each queue. Whatever became of their wake-up, such as a process that died with it, no run is forgotten.
 */
const findForgottenRuns = (db: Statements, most: number): Promise<RunAddress[]> =>
  db.query(
    `select distinct s.organization, s.environment, s.run_id as id, 0::float8 as at
     from workflow_steps s
     left join ${taskRows} t on t.organization = s.organization and t.environment = s.environment
       and t.id = case when s.undo = 'running' then s.undo_task else s.task_id end
     left join workflow_runs c on c.organization = s.organization and c.environment = s.environment and c.id = s.child_run
       and s.undo is distinct from 'running'
     where (s.status in ('running', 'waiting') and s.kind in ('agent', 'tool', 'approval', 'workflow') or s.undo = 'running')
       and s.started_at < now() - interval '5 seconds' and coalesce((s.held::json ->> 'again_at')::timestamptz < now() - interval '5 seconds', true)
       and case when s.items is null then t.id is null and c.id is null or t.finished_at < now() - interval '5 seconds' and t.status in ${endedTask}
             or c.finished_at < now() - interval '5 seconds' and c.status in ${endedRun}
           else s.result is not null or ${isStalled} end
     union all
     select organization, environment, id, 0::float8 from workflow_runs
     where status = 'queued' and concurrency_key is null and updated_at < now() - interval '5 seconds'
     union all
     select organization, environment, min(id), 0::float8 from workflow_runs
     where status = 'queued' and concurrency_key is not null and updated_at < now() - interval '5 seconds'
     group by organization, environment, workflow, concurrency_key
     limit $1`,
    [most],
  );
