import { chmod, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { DatabaseError, type DatabaseLog } from "../database-error.ts";
import { canRun, databaseAccount } from "./account.ts";
import { copyInstallation, type Installation, packagedInstallation, program, recreateLinks } from "./binaries.ts";
import { DATABASE_USER, ensureCluster } from "./cluster.ts";
import { takeInstanceLock } from "./instance-lock.ts";
import { stopLeftover } from "./leftover.ts";
import { chooseHome, chooseSocketFolder, refuseOtherMajor } from "./folders.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { settingArguments } from "./settings.ts";

export interface EmbeddedOptions {
  /** The service's data folder (`AOS_DATA_DIR`); made if missing. */
  readonly dataDir: string;
  readonly log: DatabaseLog;
  /** Settings that replace ours; for tests and measurements. `fsync: "off"` also skips the flush of the first start. */
  readonly settings?: Readonly<Record<string, string>>;
  /** PostgreSQL programs other than the packaged ones; for tests on an older release. */
  readonly installation?: Installation;
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
  const lock = await takeInstanceLock(dataDir);
  try {
    return await startLocked(dataDir, options, () => lock.release());
  } catch (error) {
    await lock.release();
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
      {
        cause,
      },
    );
  }
}

async function startLocked(
  dataDir: string,
  options: EmbeddedOptions,
  unlock: () => Promise<void>,
): Promise<EmbeddedDatabase> {
  const packaged = options.installation ?? (await packagedInstallation());
  await refuseOtherMajor(dataDir, packaged.major);
  const account = await databaseAccount(path.join(dataDir, `postgres-${packaged.major}`, "data"));
  const home = await chooseHome(dataDir, packaged.major, account, options.log);
  const usable = (await recreateLinks(packaged.folder)) && (await canRun(account, program(packaged, "postgres")));
  const installation = usable ? packaged : await copyInstallation(packaged, home);
  if (!usable && !(await canRun(account, program(installation, "postgres")))) {
    throw new DatabaseError(
      `The programs of the embedded database do not run on this machine (${process.platform}-${process.arch}): set DATABASE_URL.`,
    );
  }
  const socketFolder = await chooseSocketFolder(home, account);
  const { data, firstStart } = await ensureCluster(home, installation, account, options.settings?.fsync !== "off");
  await stopLeftover(data, socketFolder, options.log);
  const server = await startServer({
    postgres: program(installation, "postgres"),
    args: [
      "-D",
      data,
      "-k",
      socketFolder,
      "-c",
      "listen_addresses=",
      "-c",
      "port=5432",
      ...settingArguments(options.settings),
    ],
    data,
    account,
    logFile: path.join(dataDir, "postgres.log"),
    log: options.log,
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= stopServer(server, data, socketFolder, home, options.log).finally(unlock);
    return stopping;
  };
  try {
    await ensureDatabase(socketFolder);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    connectionString: connectionString(socketFolder, DATABASE_USER),
    firstStart,
    home,
    ended: server.ended,
    stop,
  };
}

async function stopServer(
  server: ServerProcess,
  data: string,
  socketFolder: string,
  home: string,
  log: DatabaseLog,
): Promise<void> {
  server.close();
  const patience = new AbortController();
  await Promise.race([server.ended, delay(60_000, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
  await stopLeftover(data, socketFolder, log); // in case the watcher was killed, or patience ran out
  if (!socketFolder.startsWith(home)) await rm(socketFolder, { recursive: true, force: true });
}

function connectionString(socketFolder: string, database: string): string {
  return `postgresql:///${database}?host=${encodeURIComponent(socketFolder)}&user=${DATABASE_USER}`;
}

/**
 * The service's database, made on the first start, or after a first start that was killed before this point: the database `postgres` that every new
 * cluster has, renamed (creating one copies several megabytes).
 */
async function ensureDatabase(socketFolder: string): Promise<void> {
  if (await withClient(connectionString(socketFolder, DATABASE_USER), async () => undefined)) return;
  await withClient(connectionString(socketFolder, "template1"), (client) =>
    client.query(`alter database postgres rename to ${DATABASE_USER}`),
  );
}

/** Connects, works, disconnects. Answers false where the database does not exist. */
async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await work(client);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "3D000") return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
