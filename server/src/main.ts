import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import packageFile from "../package.json" with { type: "json" };
import { greeting } from "./commands/greeting.ts";
import { announceService } from "./commands/running-service.ts";
import { type Config, ConfigError, readConfig, unknownVariables } from "./config/config.ts";
import { DatabaseError } from "./db/database-error.ts";
import { type OpenDatabase, openDatabase } from "./db/open.ts";
import { SecretKeyError } from "./db/secrets.ts";
import { systemClock } from "./kernel/clock.ts";
import { createIds } from "./kernel/ids.ts";
import { defaultOrganization } from "./kernel/principal.ts";
import { sweepTemporaryFolders } from "./kernel/temporary-folders.ts";
import {
  createMetricsServer,
  createTelemetry,
  type MetricsServer,
  serveMetrics,
  type Telemetry,
} from "./telemetry/index.ts";
import { createLog } from "./telemetry/log.ts";
import type { App } from "./wiring/app.ts";

/** How long a drain may take before the process ends anyway (milliseconds). */
const drainLimit = 25_000;
/** A terminal signals the whole process group and npm passes the signal on: what comes so soon after the first is the same wish (milliseconds). */
const sameWish = 1_000;

/** Starts the service by the environment, and drains it on SIGTERM or SIGINT. Answers the exit code when it has ended. */
export async function run(): Promise<number> {
  const service = new Service();
  sweepTemporaryFolders().catch(() => undefined); // a folder that cannot be read hinders nobody
  try {
    const why = await service.start();
    service.log?.info(`${why}: draining`);
    setTimeout(() => process.exit(1), drainLimit).unref();
    return why === databaseEnded ? 1 : 0;
  } catch (error) {
    sayWhy(error);
    return 1;
  } finally {
    await service.stop();
  }
}

const databaseEnded = "the database ended";

/** What a process holds while it runs, so that whatever was begun is ended, also when a start fails half way. */
class Service {
  readonly #stopped = stopSignal();
  readonly #began = performance.now();
  #database: OpenDatabase | undefined;
  #app: App | undefined;
  #telemetry: Telemetry | undefined;
  #metrics: MetricsServer | undefined;
  #draining = false;
  log: Logger | undefined;

  /** Resolves when the service is to end, with the reason. */
  async start(): Promise<string> {
    const config = readConfig(process.env);
    const log = createLog(config.logLevel, () => this.#telemetry?.tracer?.active()?.traceId ?? null);
    this.log = log;
    for (const name of unknownVariables(process.env))
      log.warn(`${name} is no setting of this service; \`aos config\` lists them.`);
    const { dataDir, role } = config;
    const telemetry = await createTelemetry({ env: process.env, version: packageFile.version, role, log });
    this.#telemetry = telemetry;
    const { databaseUrl = null, migrateDatabaseUrl = null } = config;
    const database = await openDatabase({
      databaseUrl,
      migrateDatabaseUrl,
      dataDir,
      applicationName: `aos-${role}`,
      log,
      whileStarting: () => loadService().catch(() => undefined), // awaited below, unless the database says first why there is no start
    });
    this.#database = database;
    await mkdir(dataDir, { recursive: true, mode: 0o700 }); // the embedded database has made it already
    const { createApp, keepLogKeys, seedInstallation } = await loadService();
    const seeded = await seedInstallation(database.pool, {
      newId: createIds(systemClock),
      clock: systemClock,
      random: randomBytes,
      sample: config.sample,
      keepAdminKey: (secret) => writeFile(adminKeyFile(config), `${secret}\n`, { mode: 0o600 }),
    });
    const app = await createApp({
      ...config,
      ...seeded,
      database,
      log,
      telemetry,
      metrics: config.metricsPort === undefined ? accessOf(config) : null,
      clock: systemClock,
      ownThreads: true,
      keySource: keySource(config),
      provider: await identityProvider(config, log),
      sendMail: await mailer(config),
    });
    this.#app = app;
    await keepLogKeys(dataDir, app, log);
    await app.start();
    this.#metrics = await listenForMetrics(config, telemetry, () => !this.#draining && app.facts.fresh());
    const listening = await listen(app, config);
    if (app.server) await announceService(listening);
    await this.#greet(app, listening, seeded.adminKey !== null);
    if (app.server) app.portal.load().catch((error: unknown) => log.error(error));
    const ended = database.embedded?.ended.then(() => databaseEnded) ?? new Promise<string>(() => undefined);
    return Promise.race([this.#stopped, ended]);
  }

  async #greet(app: App, config: Config, first: boolean): Promise<void> {
    const terminal = process.stdout.isTTY === true;
    const portal = app.server && { url: config.appUrl, link: terminal ? await signInLink(app) : null };
    const colour = terminal && !process.env.NO_COLOR;
    const seconds = (performance.now() - this.#began) / 1000;
    process.stdout.write(
      greeting({ config, portal, adminKeyFile: adminKeyFile(config), first, seconds, terminal, colour }),
    );
  }

  /** Drains what runs; the database last. */
  async stop(): Promise<void> {
    this.#draining = true;
    await this.#app?.stop();
    await this.#metrics?.stop();
    await this.#telemetry?.stop();
    await this.#database?.close();
  }
}

let loading: ReturnType<typeof importService> | undefined;

/** The service's own code, most of what a start loads: while PostgreSQL starts, which has processes of its own. */
function loadService() {
  loading ??= importService();
  return loading;
}

async function importService() {
  const { preloadSlices } = await import("./features/load.ts");
  await preloadSlices(path.join(import.meta.dirname, "features"), path.extname(import.meta.filename));
  const [{ createApp }, { keepLogKeys }, { seedInstallation }] = await Promise.all([
    import("./wiring/app.ts"),
    import("./audit-log/log-keys.ts"),
    import("./seed/index.ts"),
  ]);
  return { createApp, keepLogKeys, seedInstallation };
}

/** A one-time link into the portal; null where nobody is an admin of development any more. */
async function signInLink(app: App): Promise<string | null> {
  const { makeLink } = await import("./features/admin/index.ts");
  const scope = { organization: defaultOrganization, environment: "development" } as const;
  const made = await app.inside(makeLink, "start", scope, { member: null }).catch(() => null);
  return made?.url ?? null;
}

/** Loaded only where it is configured: most installations on a laptop have none. */
async function identityProvider(config: Config, log: Logger) {
  const {
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
    oidcScopes: scopes,
    oidcRoles: roles,
  } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const { createOidc } = await import("./identity/oidc.ts");
  const name = config.oidcName ?? new URL(issuer).host;
  return createOidc({ issuer, clientId, clientSecret, name, scopes, roles }, systemClock, (error) =>
    log.warn({ err: error }, `${name} did not sign somebody in`),
  );
}

async function mailer({ smtpUrl, mailFrom }: Config) {
  if (smtpUrl === undefined || mailFrom === undefined) return null;
  const { createMailer } = await import("./identity/mail.ts");
  return createMailer(smtpUrl, mailFrom);
}

const keySource = ({ dataDir, secretKey }: Config) => ({
  dataDir,
  secretKey: secretKey && Buffer.from(secretKey).toString("base64"),
});

/**
 * Who may read metrics: who has the token; without one whoever reaches the port that is theirs. A loopback address says nothing about who asks: behind a proxy on
 * the same host, every caller has one, and a proxy need not say that it is one.
 */
const accessOf = (config: Config) => ({ token: config.metricsToken ?? null, open: config.metricsPort !== undefined });

/** Begins to listen where metrics have a port of their own. */
async function listenForMetrics(
  config: Config,
  telemetry: Telemetry,
  ready: () => boolean,
): Promise<MetricsServer | undefined> {
  const { host, metricsPort: port } = config;
  if (port === undefined) return undefined;
  const access = accessOf(config);
  const metrics = (authorization: string | undefined) => serveMetrics(access, authorization, telemetry.expose);
  return createMetricsServer({ host, port, metrics, ready });
}

/** Begins to listen; answers the settings with the port that was really taken (0 asks for any). */
async function listen(app: App, config: Config): Promise<Config> {
  await app.server?.listen({ host: config.host, port: config.port });
  const address = app.server?.server.address();
  return typeof address === "object" && address !== null ? { ...config, port: address.port } : config;
}

/** The first signal to stop. A later one, after a moment, means: at once. */
function stopSignal(): Promise<string> {
  let first: number | undefined;
  return new Promise((resolve) => {
    const onSignal = (signal: string): void => {
      const now = performance.now();
      first ??= now;
      if (now - first > sameWish) process.exit(130);
      resolve(signal);
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  });
}

/** Where the first start leaves the admin key. */
export function adminKeyFile(config: Config): string {
  return path.join(config.dataDir, "admin.key");
}

/** A start that cannot succeed says so in one line. */
function sayWhy(error: unknown): void {
  const { code, port } = error as { code?: string; port?: number };
  const known = error instanceof ConfigError || error instanceof DatabaseError || error instanceof SecretKeyError;
  if (known) process.stderr.write(`aos: ${(error as Error).message}\n`);
  else if (code === "EADDRINUSE")
    process.stderr.write(`aos: port ${port} is in use by another program: stop it, or set AOS_PORT to a free one.\n`);
  else process.stderr.write(`aos: the start failed: ${(error as Error).stack}\n`);
}
