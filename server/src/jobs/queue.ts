import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { JobSpec } from "../kernel/append.ts";
import type { JobHandlers } from "../kernel/machines.ts";
import { createPools, type QueueLog } from "./pools.ts";

export interface QueueOptions {
  /** Needs a connection to listen on besides those that statements take for a moment. */
  readonly pool: pg.Pool;
  readonly log: QueueLog;
  /** Jobs that run at the same time in this process. */
  readonly concurrency: number;
  /** How often the queue is looked through for jobs that no notification announced, such as later repetitions (milliseconds, 2,000 by default). */
  readonly pollMs?: number;
}

/** Wake-ups between processes. Calls enqueue inside their transactions (`ctx.enqueue`); what a job is about stands in the row that it names. */
export interface Queue {
  /** Takes jobs, and hears of new ones at once, when it resolves. Fails where the database cannot be used; later failures are logged, and the queue starts again by itself. */
  start(handlers: JobHandlers): Promise<void>;
  /**
   * Takes no further job and waits for the handlers that run, at most `limitMs`; what was not begun stays in the queue for others. A
   * handler that is still running then is left behind, and its job counts as done: the row holds the truth.
   */
  stop(limitMs: number): Promise<void>;
}

const restartAfterMs = 1_000;
/** Jobs that were fetched and not begun go back to the queue after so long. */
const fetchedAheadMs = 250;

/** The queue over graphile-worker's tables, which `ctx.enqueue` fills. */
export function createQueue(options: QueueOptions): Queue {
  const { log } = options;
  const stopping = new AbortController();
  const abandoned = Promise.withResolvers<void>();
  let runner: Runner | null = null;
  let supervised: Promise<void> = Promise.resolve();
  const pools = createPools({ db: { query: async (text, values) => rowsOf(options.pool, text, values) }, log });
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => pools.join(workerPool.id));

  const begin = (tasks: TaskList): Promise<Runner> =>
    run({
      events,
      pgPool: options.pool,
      taskList: tasks,
      concurrency: options.concurrency,
      pollInterval: options.pollMs ?? 2_000,
      noHandleSignals: true,
      parsedCronItems: [],
      // Batched, the ends of jobs are awaited at a stop, and one that cannot be written ends the runner instead of the process.
      // Several are fetched with one statement. Those that find no handler free go back soon: a job must not wait in one process while another is idle.
      preset: {
        worker: {
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          localQueue: { size: options.concurrency, ttl: fetchedAheadMs },
        },
      },
      logger: quietLogger(log),
    });
  // The library ends its workers when it cannot write the end of a job, such as in a restart of the database: begin again.
  const supervise = async (tasks: TaskList): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        runner ??= await begin(tasks);
        await runner.promise;
      } catch (err) {
        log.error({ err }, "the queue broke off and starts again");
      }
      runner = null;
      await delay(restartAfterMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    async start(handlers) {
      const tasks = taskList(handlers, abandoned.promise);
      const listening = new Promise<void>((resolve) =>
        events.once("pool:listen:success", ({ client }) => setImmediate(() => resolve(answered(client)))),
      );
      runner = await begin(tasks);
      pools.start();
      supervised = supervise(tasks);
      await Promise.race([listening, supervised]);
    },
    async stop(limitMs) {
      if (stopping.signal.aborted) return supervised;
      stopping.abort();
      const limit = setTimeout(() => abandoned.resolve(), limitMs);
      await runner?.stop().catch((err: unknown) => log.error({ err }, "the queue did not stop cleanly"));
      await supervised;
      await pools.stop();
      clearTimeout(limit);
    },
  };
}

/** The handlers; each is left behind once `abandoned` resolves. */
const taskList = (handlers: JobHandlers, abandoned: Promise<void>): TaskList =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload: unknown): Promise<void> => Promise.race([handle(payload), abandoned]),
    ]),
  );

/** Resolves when the connection has done what was asked of it before: the library's LISTEN. */
async function answered(client: pg.PoolClient): Promise<void> {
  await client.query("select 1").catch(() => undefined); // a connection that broke is replaced
}

/** Only what an operator has to know: the library also reports each job. */
function quietLogger(log: QueueLog): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === "error") log.error({ err: meta?.error ?? message }, "a job or the queue failed");
    if (level === "warning" && !message.includes("maxPoolSize")) log.warn(message); // handlers hold no connection of the pool while they wait
  });
}

const rowsOf = async <R extends object>(pool: pg.Pool, text: string, values: readonly unknown[] = []): Promise<R[]> =>
  (await pool.query(text, [...values])).rows as R[];

/** Enqueues wake-ups outside of calls, for machines that found work lying about. Same key: one waiting job, due when the first of them is. */
export async function wake(
  db: { query(text: string, values: readonly unknown[]): Promise<unknown> },
  jobs: readonly JobSpec[],
): Promise<void> {
  if (jobs.length === 0) return;
  // In the order of keys, so that two statements never wait for each other.
  await db.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select (task, payload::json, null, run_at, null, key, priority, null)::graphile_worker.job_spec from (
         select distinct on (key, case when key is null then n end) *
         from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::int[]) with ordinality as j(task, payload, run_at, key, priority, n)
         order by key, case when key is null then n end, run_at nulls first) asked))`,
    [
      jobs.map((job) => job.task),
      jobs.map((job) => JSON.stringify(job.payload)),
      jobs.map((job) => job.runAt?.toISOString() ?? null),
      jobs.map((job) => job.key ?? null),
      jobs.map((job) => job.priority ?? 0),
    ],
  );
}
