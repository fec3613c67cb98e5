import type { Statements } from "../kernel/machines.ts";

/** Where the queue reports what an operator should know; a pino logger fits. */
export interface QueueLog {
  warn(message: string): void;
  error(details: { err: unknown }, message: string): void;
}

/** How often a pool says that it lives (milliseconds). */
export const beatEveryMs = 2_000;
/** A pool that was silent for so long, of time in which others could be heard, is gone (milliseconds). */
const goneAfterMs = 12_000;
/** What one look can count as silence at most: while the database or this process stands still, nobody can be heard. */
const mostOfLookMs = 2 * beatEveryMs;
/** Looks between those for jobs that are locked by pools of which nothing is known, such as those of an earlier release. */
const lookForUnknownEvery = 5;

/** Times without a worker that are longer are kept as gaps. */
const gapFrom = "interval '10 seconds'";
/** More than the time in which leases are renewed. */
const justNow = "interval '6 seconds'";

export interface PoolsOptions {
  readonly db: Statements;
  readonly log: QueueLog;
  /** For tests: milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
}

/**
 * Says that this process's pool of the queue lives, and frees the jobs that dead ones have locked. Each process counts for itself how long it has not heard of a
 * pool; no clock is compared with another. To free a job of a pool that lives after all wakes a second worker, and what the two do is held apart by the lease of
 * the row that the job names.
 */
export interface Pools {
  /** The pool that takes jobs for this process from now on; the one before it, if any, is gone. */
  join(pool: string): void;
  /** Beats and looks once. */
  look(): Promise<void>;
  start(): void;
  /** Ends the beats; the pool counts as gone at once. */
  stop(): Promise<void>;
}

interface Heard {
  readonly beats: string | null;
  readonly silentMs: number;
}

export function createPools({ db, log, now = () => performance.now() }: PoolsOptions): Pools {
  let own: string | null = null;
  let heard: ReadonlyMap<string, Heard> = new Map();
  let unknown: readonly string[] = [];
  let looks = 0;
  let lookedAt = now();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  const look = async (): Promise<void> => {
    const known = new Map((await beat(db, own)).map(({ id, beats }) => [id, beats]));
    if (looks++ % lookForUnknownEvery === 0) unknown = await listUnknown(db);
    const at = now();
    const counted = Math.min(at - lookedAt, mostOfLookMs);
    lookedAt = at;
    const next = new Map<string, Heard>();
    for (const id of new Set([...known.keys(), ...unknown])) {
      const [before, beats] = [heard.get(id), known.get(id) ?? null];
      const silentMs = before !== undefined && before.beats === beats ? before.silentMs + counted : 0;
      if (id !== own) next.set(id, { beats, silentMs });
    }
    heard = next;
    const gone = [...next].filter(([, { silentMs }]) => silentMs >= goneAfterMs);
    if (gone.length === 0) return;
    const freed = await free(db, gone);
    for (const [id] of gone) next.delete(id);
    unknown = unknown.filter((id) => next.has(id));
    if (freed > 0) log.warn(`${freed} jobs of workers that are gone were taken up again.`);
  };
  const again = (): void => {
    timer = setTimeout(() => {
      looking = look()
        .catch((err: unknown) => log.error({ err }, "the queue could not say that it lives"))
        .finally(() => (stopped ? undefined : again()));
    }, beatEveryMs);
  };

  return {
    join(pool) {
      own = pool;
    },
    look,
    start() {
      looking = look().catch((err: unknown) => log.error({ err }, "the queue could not say that it lives"));
      again();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      const pool = own;
      own = null;
      if (pool !== null) await db.query("delete from worker_pools where id = $1", [pool]).catch(() => []);
    },
  };
}

/** Counts the own pool on, notes where nobody did before, and answers how far all have counted. */
async function beat(db: Statements, own: string | null): Promise<readonly { id: string; beats: string }[]> {
  return db.query(
    `with last as (select alive_at from worker_presence where one for update),
       gap as (insert into worker_gaps (started_at, ended_at) select alive_at, now() from last where alive_at < now() - ${gapFrom}
         on conflict do nothing returning 1),
       alive as (insert into worker_presence (alive_at) select now() from (select count(*) from gap) after_it
         on conflict (one) do update set alive_at = greatest(worker_presence.alive_at, excluded.alive_at)),
       own as (insert into worker_pools as p (id, beats) select $1, 1 where $1::text is not null on conflict (id) do update set beats = p.beats + 1)
     select id, beats from worker_pools`,
    [own],
  );
}

/** Pools that have locked jobs and never said that they live. */
async function listUnknown(db: Statements): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select distinct locked_by as id from graphile_worker._private_jobs j
     where locked_by is not null and not exists (select from worker_pools p where p.id = j.locked_by)`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Frees the jobs of pools that have not counted on since, and forgets the pools. A job that another wake-up of its key has replaced meanwhile is dropped: the queue keeps
 * such a one until its handler ends, and runs it never again.
 */
async function free(db: Statements, pools: readonly (readonly [id: string, heard: Heard])[]): Promise<number> {
  const rows = await db.query<{ id: string }>(
    `with gone as (select g.id from unnest($1::text[], $2::bigint[]) as g(id, beats) left join worker_pools p on p.id = g.id
         where p.beats is not distinct from g.beats),
       forgotten as (delete from worker_pools where id in (select id from gone)),
       replaced as (delete from graphile_worker._private_jobs where locked_by in (select id from gone) and key is null and attempts >= max_attempts)
     select id from gone`,
    [pools.map(([id]) => id), pools.map(([, { beats }]) => beats)],
  );
  const gone = rows.map(({ id }) => id);
  const [row] = await db.query<{ n: number }>(
    `with held as (select count(*)::int as n from graphile_worker._private_jobs where locked_by = any($1::text[]))
     select n, graphile_worker.force_unlock_workers($1::text[]) from held`,
    [gone],
  );
  return row?.n ?? 0;
}

/** A time in which no worker lived, or the database stood still (milliseconds since the epoch). */
export interface WorkerGap {
  readonly from: number;
  readonly until: number;
}

/** The gaps that ended after a moment. */
export async function listWorkerGaps(db: Statements, since: Date): Promise<readonly WorkerGap[]> {
  return db.query<WorkerGap>(
    `select (extract(epoch from started_at) * 1000)::float8 as "from", (extract(epoch from ended_at) * 1000)::float8 as until
     from worker_gaps where ended_at > $1`,
    [since],
  );
}

/** How much of the time from `since` until `now` lies in gaps (milliseconds). */
export const lostMs = (gaps: readonly WorkerGap[], since: number, now: number): number =>
  gaps.reduce((sum, { from, until }) => sum + Math.max(0, Math.min(until, now) - Math.max(from, since)), 0);

/** Whether all workers or the database stood still until just now: whoever holds leases has not had the time to renew them. */
export async function stoodStill(db: Statements): Promise<boolean> {
  const [row] = await db.query<{ stood: boolean }>(
    `select alive_at < now() - ${justNow} or exists (select from worker_gaps where ended_at > now() - ${justNow}) as stood from worker_presence`,
  );
  return row?.stood === true;
}
