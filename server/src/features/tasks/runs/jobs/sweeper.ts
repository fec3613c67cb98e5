import { openSession, type SessionPool } from "../../../../db/session.ts";
import { stoodStill } from "../../../../jobs/pools.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { FactsReader } from "../../../../kernel/facts.ts";
import { keptFor } from "../../../../kernel/idempotency.ts";
import { lowestId } from "../../../../kernel/ids.ts";
import type { RunInside, Statements, Sweep } from "../../../../kernel/machines.ts";
import type { PortReader } from "../../../../kernel/port.ts";
import type { Environment } from "../../../../kernel/principal.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { agentPauseRows, agentVersionRows } from "../../../agents/shared-rows.ts";
import { killSwitchRows } from "../../../governance/shared-rows.ts";
import { runTaskJob } from "../../tasks/queue.ts";
import { expireTask } from "../operations/expire-task.ts";
import { requeueTask } from "../operations/requeue-task.ts";

interface SweeperOptions extends PortReader {
  readonly pool: SessionPool;
  /** As `system:sweeper`. */
  readonly inside: RunInside;
  readonly clock: Clock;
  readonly facts: FactsReader;
  /** Sweeps of slices, run in this order after the sweeper's own. */
  readonly sweeps: readonly Sweep[];
  readonly report: (error: unknown) => void;
  /** Milliseconds between sweeps (default 1,000). */
  readonly everyMs?: number;
}

export interface Sweeper {
  start(): void;
  /** Sweeps once, unless another process does. Returns whether it did. */
  sweep(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Any number that no other advisory lock in this database has: the bytes of "aos swee". */
const lock = "7020956953039594853";

/** A sweep that hangs would keep every process from sweeping: it is given up after so long (milliseconds). */
const longestLookMs = 120_000;

async function within(ms: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Error(`A look of the sweeper did not end within ${ms} ms.`)), ms);
  await Promise.race([work, over.promise]).finally(() => clearTimeout(timer));
}

const sweepOf = (name: string, run: (db: Statements) => Promise<unknown>): Sweep => ({
  name,
  run: async ({ db }) => void (await run(db)),
});

/** Most of each kind that one sweep handles; the rest follows a second later. */
const most = 500;
/** Most stored answers that one sweep deletes: few enough that lapsed leases are found in time. */
export const clearedAtOnce = 2_000;

/**
 * Looks after tasks that nobody looks after: takes them from workers that are gone, ends those beyond their deadline, wakes workers for forgotten
 * ones, clears what was kept for repetition for a day, and then lets every slice look after its own. One process at a time, by an advisory lock; the others stand by.
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { pool, inside, clock, facts, port, sweeps, report } = options;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> = Promise.resolve();
  let stopped = false;

  const each = async (tasks: readonly TaskAddress[], act: (task: TaskAddress) => Promise<unknown>): Promise<void> => {
    for (const task of tasks) {
      if (stopped) return;
      // Another process was faster, or one task is at fault, which must not block the others.
      await act(task).catch((error: unknown) =>
        error instanceof Refusal && error.type.code === conflict.code ? undefined : report(error),
      );
    }
  };
  const own = [
    sweepOf("tasks.lapsed", async (db) =>
      each(await listLapsedTasks(db, most), (task) => inside(requeueTask, task, { task: task.id, owner: null })),
    ),
    sweepOf("tasks.overdue", async (db) =>
      each(await listOverdueTasks(db, most), (task) => inside(expireTask, task, { task: task.id })),
    ),
    sweepOf("tasks.forgotten", (db) => wakeForgottenTasks(db, most)),
    sweepOf("tasks.idempotency", (db) => clearIdempotency(db, lowestId("tsk", clock.now() - keptFor), clearedAtOnce)),
  ];
  const look = async (db: Statements): Promise<void> => {
    for (const sweep of [...own, ...sweeps]) {
      if (stopped) return;
      await sweep
        .run({ db, inside, now: clock.now(), facts, port })
        .catch((cause: unknown) => report(new Error(`the sweep ${sweep.name} failed`, { cause })));
    }
  };
  const sweep = async (byTimer = false): Promise<boolean> => {
    const db = await openSession(pool);
    try {
      const [taken] = await db.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lock]);
      // Right after a stall nobody has had the time to renew a lease, and none is taken away.
      if (taken?.taken && !(byTimer && (await stoodStill(db)))) await within(longestLookMs, look(db));
      if (taken?.taken) await db.query("select pg_advisory_unlock($1)", [lock]);
      db.release();
      return taken?.taken === true;
    } catch (error) {
      db.abandon(); // ends the session, and with it the lock
      throw error;
    }
  };
  const again = (): void => {
    timer = setTimeout(() => {
      looking = sweep(true)
        .catch(report)
        .finally(() => (stopped ? undefined : again()));
    }, options.everyMs ?? 1_000);
  };

  return {
    start: again,
    sweep: () => sweep(),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

// Over all scopes: a machine of the installation, not a call.

export interface TaskAddress {
  organization: string;
  environment: Environment;
  id: string;
}

/** Running tasks with a lapsed lease, the longest lapsed first. */
async function listLapsedTasks(db: Statements, most: number): Promise<TaskAddress[]> {
  return db.query<TaskAddress>(
    `select organization, environment, id from tasks where status = 'running' and lease_until < now() order by lease_until limit $1`,
    [most],
  );
}

async function listOverdueTasks(db: Statements, most: number): Promise<TaskAddress[]> {
  return db.query<TaskAddress>(
    `select organization, environment, id from tasks
     where deadline < now() and status in ('queued', 'awaiting_approval', 'input_required') order by deadline limit $1`,
    [most],
  );
}

/** Whether a kill switch or pause holds a queued task `t`: workers woken for it would only be kept from others. */
const isHeld = `(
  exists (select from ${killSwitchRows} s
    where s.released_at is null and s.mode <> 'drain' and s.organization = t.organization and (s.environment = t.environment or s.kind = 'all')
      and case s.kind when 'all' then true when 'environment' then true when 'agent' then s.target = t.agent when 'version' then s.target = t.version_id
        when 'skill' then s.target = t.agent || '.' || t.skill
        when 'tool' then s.mode = 'pause' and exists (select from ${agentVersionRows} v, jsonb_array_elements(v.definition -> 'skills') k
          where v.organization = t.organization and v.id = t.version_id and k ->> 'name' = t.skill and k -> 'tools' ? s.target)
        when 'model' then s.mode = 'pause' and exists (select from ${agentVersionRows} v where v.organization = t.organization and v.id = t.version_id
          and coalesce(v.definition #>> '{model,name}', v.definition #>> '{model,provider}') = s.target)
        else false end)
  or exists (select from ${agentPauseRows} p
    where p.organization = t.organization and p.environment = t.environment and p.agent = t.agent and p.mode = 'cancel'))`;

/**
 * Wakes workers for tasks that have been queued for more than five seconds and for which the sweeper has no wake-up waiting: whatever became of the
 * first one (a worker that could not decide, a process that died with it), no queued task is forgotten. The key keeps it to one per task.
 */
async function wakeForgottenTasks(db: Statements, most: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `with forgotten as (
       select t.organization, t.environment, t.id, t.priority from tasks t
       where t.status = 'queued' and t.paused_at is null and t.updated_at < now() - interval '5 seconds' and (t.deadline is null or t.deadline > now())
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
async function clearIdempotency(db: Statements, before: string, most: number): Promise<void> {
  await db.query(
    `with old as (
       select organization, environment, id from tasks
       where idempotency_hash is not null and id < $1 order by id limit $2 for update skip locked)
     update tasks t set idempotency_hash = null, request_digest = null, answer = null from old
     where t.organization = old.organization and t.environment = old.environment and t.id = old.id`,
    [before, most],
  );
}
