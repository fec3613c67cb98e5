import { openSession, type SessionPool } from "../../../db/session.ts";
import { stoodStill } from "../../../jobs/pools.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import { keptFor } from "../../../kernel/idempotency.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { RunInside, Statements, Sweep } from "../../../kernel/machines.ts";
import { conflict } from "../../../kernel/problems.ts";
import { expireTask } from "../operations/expire-task.ts";
import { requeueTask } from "../operations/requeue-task.ts";
import {
  clearIdempotency,
  listLapsedTasks,
  listOverdueTasks,
  type TaskAddress,
  wakeForgottenTasks,
} from "./sweep-store.ts";

export interface SweeperOptions {
  readonly pool: SessionPool;
  /** As `system:sweeper`. */
  readonly inside: RunInside;
  readonly clock: Clock;
  readonly facts: FactsReader;
  /** What slices look after, run in this order after the sweeper's own look. */
  readonly sweeps: readonly Sweep[];
  readonly report: (error: unknown) => void;
  /** How often it looks (milliseconds, 1,000 unless told). */
  readonly everyMs?: number;
}

export interface Sweeper {
  start(): void;
  /** Looks once; does nothing where another process is looking. Returns whether it looked. */
  sweep(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Any number that no other user of advisory locks in this database takes: the bytes of "aos swee". */
const lock = "7020956953039594853";

/** A look that hangs would keep every process from looking: it is left behind after so long (milliseconds). */
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

/** Most that one look takes up of each kind; what is over that comes a second later. */
const most = 500;
/** Most dispatches whose answers one look clears: few enough that the next look for lapsed leases is not late. */
export const clearedAtOnce = 2_000;

/**
 * Looks after tasks that nobody looks after: takes them from workers that are gone, ends those beyond their deadline, wakes workers for forgotten
 * ones, clears what was kept for repetition for a day, and then lets every slice look after its own. One process at a time, by an advisory lock; the others stand by.
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { pool, inside, clock, facts, sweeps, report } = options;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> = Promise.resolve();
  let stopped = false;

  const each = async (tasks: readonly TaskAddress[], act: (task: TaskAddress) => Promise<unknown>): Promise<void> => {
    for (const task of tasks) {
      if (stopped) return;
      // Somebody else was faster, or one task is at fault: the others are not to wait for it.
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
        .run({ db, inside, now: clock.now(), facts })
        .catch((cause: unknown) => report(new Error(`the sweep ${sweep.name} failed`, { cause })));
    }
  };
  const sweep = async (byTimer = false): Promise<boolean> => {
    const db = await openSession(pool);
    try {
      const [taken] = await db.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lock]);
      // Right after a stand-still nobody has had the time to renew a lease, and none is taken away.
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
