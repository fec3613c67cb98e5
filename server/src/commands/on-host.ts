import { type Config, ConfigError } from "../config/config.ts";
import { DatabaseError } from "../db/database-error.ts";
import { hasEmbedded, runningEmbedded } from "../db/embedded/running.ts";
import { type OpenDatabase, openDatabase } from "../db/open.ts";
import { SecretKeyError } from "../db/secrets.ts";
import { systemClock } from "../kernel/clock.ts";
import { readInstallation } from "../seed/index.ts";
import { untold } from "../telemetry/index.ts";
import { createLog } from "../telemetry/log.ts";
import { type App, type AppOptions, createApp } from "../wiring/app.ts";

/** The installation is not there, or the service refused. The message is what the user reads. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The arguments cannot be understood. The message is one line. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

/** Whether an error's message is meant for who runs a command; anything else is a fault of ours. */
export function isForUser(error: unknown): error is Error {
  return [ArgumentError, CommandError, ConfigError, DatabaseError, SecretKeyError].some(
    (kind) => error instanceof kind,
  );
}

/**
 * Does something with the service of this host, beside a running one or without: on its database, by the calls that it would make, so that they pass the
 * pipeline and are recorded. Throws {@link CommandError} where there is no installation.
 */
export async function onHost<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const log = createLog("error");
  const database = await openBesideService(config, log);
  try {
    const installation = await readInstallation(database.pool);
    if (installation === null)
      throw new CommandError("The service has not been started on this database yet: start it once with aos start.");
    const { secretKey, dataDir } = config;
    const keySource = { dataDir, secretKey: secretKey && Buffer.from(secretKey).toString("base64") };
    const app = await createApp({
      database,
      installation,
      keySource,
      log,
      appUrl: config.appUrl,
      role: "api",
      ownThreads: false,
      rateLimit: false,
      trustProxy: [],
      outboundAllow: [],
      clock: systemClock,
      telemetry: untold,
      metrics: null,
      personalSignIn: config.personalSignIn,
      provider: null,
      sendMail: null,
    });
    try {
      await app.start();
      return await work(app);
    } finally {
      await app.stop();
    }
  } finally {
    await database.close();
  }
}

/** The database of the service: that of DATABASE_URL, the embedded one that a running service holds, or the embedded one, started for this command. */
async function openBesideService(config: Config, log: AppOptions["log"]): Promise<OpenDatabase> {
  const { dataDir } = config;
  if (config.databaseUrl === undefined && !(await hasEmbedded(dataDir))) {
    throw new CommandError(
      `There is no installation in ${dataDir}: start the service once with aos start, or set AOS_DATA_DIR or DATABASE_URL.`,
    );
  }
  const databaseUrl = config.databaseUrl ?? (await runningEmbedded(dataDir)) ?? null;
  const migrateDatabaseUrl = config.migrateDatabaseUrl ?? null;
  return openDatabase({ databaseUrl, migrateDatabaseUrl, dataDir, applicationName: "aos-command", log });
}
