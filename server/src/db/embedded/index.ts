import { chmod, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { DatabaseError, type DatabaseLog } from "../database-error.ts";
import { databaseAccount } from "./account.ts";
import { type Installation, packagedInstallation, program, runnableInstallation } from "./binaries.ts";
import { DATABASE_USER, ensureCluster } from "./cluster.ts";
import { chooseHome, makeSocketFolder } from "./folders.ts";
import { takeInstanceLock } from "./instance-lock.ts";
import { stopLeftover } from "./leftover.ts";
import { socketUrl } from "./running.ts";
import { startServer } from "./server-process.ts";
import { settingArguments } from "./settings.ts";

export interface EmbeddedOptions {
  /** The service's data folder (`AOS_DATA_DIR`); made if missing. */
  readonly dataDir: string;
  readonly log: DatabaseLog;
  /** Settings that replace ours; for tests and measurements. `fsync: "off"` also skips the flush of the first start. */
  readonly settings?: Readonly<Record<string, string>>;
  /** PostgreSQL programs other than the packaged ones; for tests on an older release. */
  readonly installation?: Installation;
  /** A start that takes longer says why (milliseconds, 3,000 by default). */
  readonly slowAfterMs?: number;
  /** How long it waits for another process that has the data folder and may be ending (milliseconds, 10,000 by default). */
  readonly waitMs?: number;
  /** Called when `initdb` and the server have been started, each in a process of its own. */
  readonly whileStarting?: (() => void) | undefined;
}

/** The running embedded database. */
export interface EmbeddedDatabase {
  /** As `pg` and libpq understand it: a socket's folder instead of a host. */
  readonly connectionString: string;
  /** Whether this start made the database. */
  readonly firstStart: boolean;
  /** The folder that holds PostgreSQL's data; outside the data folder where PostgreSQL's account cannot reach that. */
  readonly home: string;
  /** Settles when PostgreSQL ends, also when nobody asked for it. */
  readonly ended: Promise<number>;
  /** Stops PostgreSQL (open transactions roll back) and frees the data folder. Call it last, after draining; calling again is harmless. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes with the service, for this process alone, on a socket that only its own account can reach; there is no TCP port.
 * It ends when {@link EmbeddedDatabase.stop} is called or this process dies in any way, but not on a signal to this process.
 * Fails with a {@link DatabaseError}, for example while another process uses the data folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === "win32")
    throw new DatabaseError("The embedded database runs on Linux and macOS: set DATABASE_URL.");
  const dataDir = path.resolve(options.dataDir);
  await makeDataDir(dataDir);
  const unlock = await takeInstanceLock(dataDir, {
    waitMs: options.waitMs ?? 10_000,
    onWait: (text) => options.log.warn(text),
  });
  try {
    return await startLocked(dataDir, options, unlock);
  } catch (error) {
    await unlock();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`The embedded database could not be started in ${dataDir}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** As root the folder lets PostgreSQL's account pass through, not look; what is secret in it carries its own mode. */
async function makeDataDir(dataDir: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    const made = await mkdir(dataDir, { recursive: true, mode });
    if (made !== undefined) await chmod(dataDir, mode);
  } catch (cause) {
    throw new DatabaseError(
      `The data folder ${dataDir} cannot be made: set AOS_DATA_DIR to a folder that this user may write to.`,
      { cause },
    );
  }
}

async function startLocked(
  dataDir: string,
  { log, settings = {}, installation, whileStarting, slowAfterMs }: EmbeddedOptions,
  unlock: () => Promise<void>,
): Promise<EmbeddedDatabase> {
  const packaged = installation ?? (await packagedInstallation());
  const account = await databaseAccount(path.join(dataDir, `postgres-${packaged.major}`, "data"));
  const home = await chooseHome(dataDir, packaged.major, account, log);
  const programs = await runnableInstallation(packaged, account, home);
  const { data, firstStart } = await ensureCluster({
    home,
    installation: programs,
    account,
    whileStarting,
    durable: settings.fsync !== "off",
  });
  await stopLeftover(data, log);
  const socketFolder = await makeSocketFolder(home, account);
  const fixed = { listen_addresses: "", port: "5432", unix_socket_directories: socketFolder };
  const server = await startServer({
    postgres: program(programs, "postgres"),
    args: ["-D", data, ...settingArguments(data, { ...settings, ...fixed })],
    data,
    account,
    log,
    whileStarting,
    slowAfterMs,
    logFile: path.join(dataDir, "postgres.log"),
  });
  const stopServer = async (): Promise<void> => {
    server.close();
    await Promise.race([server.ended, delay(60_000, undefined, { ref: false })]);
    await stopLeftover(data, log); // in case the watcher was killed, or a minute was not enough
    if (!socketFolder.startsWith(home)) await rm(socketFolder, { recursive: true, force: true });
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= stopServer().finally(unlock);
    return stopping;
  };
  try {
    await ensureDatabase(socketFolder);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connectionString: socketUrl(socketFolder), firstStart, home, ended: server.ended, stop };
}

/**
 * The service's database, made on the first start, or after a first start that was killed before this point: the database `postgres` that every new
 * cluster has, renamed (creating one copies several megabytes).
 */
async function ensureDatabase(socketFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString: socketUrl(socketFolder, "template1") });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE_USER]);
    if (rowCount === 0) await client.query(`alter database postgres rename to ${DATABASE_USER}`);
  } finally {
    await client.end();
  }
}
