import type pg from "pg";
import { type EmbeddedDatabase, startEmbedded } from "./embedded/index.ts";
import { migrate } from "./migrate.ts";
import { checkDatabase, createPool, DatabaseError, type DatabaseLog } from "./pool.ts";
import { grantRuntimeRole } from "./runtime-role.ts";

/** The database of one process: its pools, and the embedded server where there is one. */
export interface OpenDatabase {
  readonly connectionString: string;
  readonly embedded: EmbeddedDatabase | null;
  /** For the transactions of calls, and nothing else: a call that holds one of these never waits for another of them. */
  readonly pool: pg.Pool;
  /** For the machines that calls wait for, and those that work by themselves. */
  readonly machinePool: pg.Pool;
  /** For loads and reads: its sessions cannot write. */
  readonly readPool: pg.Pool;
  /** The migrations that this process applied to a database that had some before; empty for a new one. */
  readonly applied: readonly string[];
  /** Does what only the owner of the tables may, at start: with the role of AOS_MIGRATE_DATABASE_URL where there is one. */
  asOwner<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T>;
  /** Closes the pools, and last of all the embedded server. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** The owner of the tables, where `databaseUrl` is of a role with fewer rights. */
  readonly migrateDatabaseUrl?: string | null;
  readonly dataDir: string;
  readonly applicationName: string;
  readonly log: DatabaseLog;
  /** Called when PostgreSQL begins to start in its own processes, once or twice; what it does then costs a start less. Never called for a given database. */
  readonly whileStarting?: () => void;
}

/** Opens the database: starts the embedded one or connects to the given one, checks its version, and brings its schema up to date. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { log, applicationName, dataDir, whileStarting } = options;
  const embedded = options.databaseUrl === null ? await startEmbedded({ dataDir, log, whileStarting }) : null;
  const connectionString = embedded?.connectionString ?? (options.databaseUrl as string);
  // More than the transactions of look-ups of tasks (8), the look-ups of test sets (4) and of training (8) that a process makes at a time: while all of them wait for the database, a stop
  // still finds a connection to end them by.
  const pool = createPool({ connectionString, applicationName, log, max: 24 });
  const machinePool = createPool({ connectionString, applicationName: `${applicationName}-machine`, log, max: 8 });
  const readPool = createPool({
    connectionString,
    applicationName: `${applicationName}-read`,
    log,
    max: 4,
    readOnly: true,
  });
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), machinePool.end(), readPool.end()]);
    await embedded?.stop();
  };
  const ownerUrl = embedded ? null : (options.migrateDatabaseUrl ?? null);
  const asOwner = async <T>(work: (owner: pg.Pool) => Promise<T>): Promise<T> => {
    if (ownerUrl === null) return work(machinePool);
    const owner = createPool({ connectionString: ownerUrl, applicationName: `${applicationName}-owner`, log, max: 2 });
    try {
      return await work(owner);
    } finally {
      await owner.end();
    }
  };
  let applied: readonly string[];
  try {
    await checkDatabase(pool);
    if (ownerUrl === null) applied = await migrateAsRuntime(pool);
    else {
      applied = await asOwner(async (owner) => {
        await checkDatabase(owner, "AOS_MIGRATE_DATABASE_URL");
        const migrated = await migrate(owner);
        await grantRuntimeRole(owner, pool);
        return migrated.applied;
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  if (applied.some((name) => name.startsWith("0001_"))) applied = [];
  return { connectionString, embedded, pool, machinePool, readPool, applied, asOwner, close };
}

const insufficientPrivilege = "42501";

/** With one role it owns everything; one that does not gets on as long as nothing is to migrate. Returns the migrations that were applied. */
async function migrateAsRuntime(pool: pg.Pool): Promise<readonly string[]> {
  try {
    return (await migrate(pool)).applied;
  } catch (cause) {
    const { code } = ((cause as { cause?: unknown }).cause ?? cause) as { code?: string };
    if (code !== insufficientPrivilege) throw cause;
    throw new DatabaseError(
      "The database needs a migration, and the role of DATABASE_URL may not make it: start one process with AOS_MIGRATE_DATABASE_URL, the same database with the role that owns its tables.",
      { cause },
    );
  }
}
