import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { ensurePartitions } from "../audit-log/index.ts";
import type { DatabaseLog } from "../db/database-error.ts";
import type { Installation } from "../db/embedded/binaries.ts";
import { startEmbedded } from "../db/embedded/index.ts";
import { migrate } from "../db/migrate.ts";
import { checkDatabase, createPool } from "../db/pool.ts";
import { openSecrets } from "../db/secrets.ts";
import { systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { seedInstallation } from "../seed/index.ts";
import { insertRoleKeys, testSecretKey } from "./keys.ts";
import { temporaryRoot } from "./temporary.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The socket that answers a connection with the test server as one line of JSON ({@link TestServerAnswer}). */
    testServerSocket: string;
  }
}

/** What the socket answers: where the test server is and which databases to clone, or why there is none. */
export type TestServerAnswer =
  | {
      readonly connectionString: string;
      /** What the names of the run's databases begin with. */
      readonly prefix: string;
      /** Migrated and empty. */
      readonly template: string;
      /** With what a service makes at its first start, and a key for each role: `[<environment> <role>, secret]`. */
      readonly seeded: { readonly database: string; readonly keys: readonly (readonly [string, string])[] };
    }
  | { readonly error: string };

/**
 * Durability is worth nothing to a test's database and costs most of its time: these settings are for tests only. Without the log of replication a test that
 * holds a table lock has no transaction id by that, and no log of another test waits for it.
 */
const TEST_SETTINGS = {
  ...{
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    shared_buffers: "128MB",
    max_wal_size: "256MB",
  },
  wal_level: "minimal",
  max_wal_senders: "0",
};

const silent: DatabaseLog = { info: () => undefined, warn: (message) => console.error(message) };

interface TestServer {
  readonly answer: TestServerAnswer;
  close(): Promise<void>;
}

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, started when the first test file asks for a database, with a migrated template that each
 * file clones. With TEST_DATABASE_URL that server is used (15 or newer, a user that may create databases); with TEST_POSTGRES_PROGRAMS
 * (`<major>:<folder with bin>`) those programs are started instead of the packaged ones; else the embedded PostgreSQL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(socketParent(), "aos-test-"));
  await chmod(folder, 0o711); // PostgreSQL's own account passes through when the tests run as root
  let started: Promise<TestServer> | undefined;
  const door = net.createServer((connection) => {
    started ??= startTestServer(folder).catch((error: Error) => ({
      answer: { error: error.message },
      close: async () => undefined,
    }));
    connection.on("error", () => undefined);
    void started.then(({ answer }) => connection.end(JSON.stringify(answer)));
  });
  const socket = path.join(folder, "door");
  await new Promise<void>((resolve, reject) => door.once("error", reject).listen(socket, resolve));
  project.provide("testServerSocket", socket);
  return async () => {
    await new Promise((resolve) => door.close(resolve));
    await (await started)?.close();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A temporary folder whose path leaves room for a socket's name. */
function socketParent(): string {
  const root = temporaryRoot();
  return root.length < 40 ? root : "/tmp";
}

async function startTestServer(folder: string): Promise<TestServer> {
  const outside = process.env.TEST_DATABASE_URL;
  if (outside !== undefined && outside !== "") return prepare(outside);
  const installation = chosenPrograms(process.env.TEST_POSTGRES_PROGRAMS);
  const database = await startEmbedded({
    dataDir: folder,
    log: silent,
    settings: TEST_SETTINGS,
    ...(installation && { installation }),
  });
  const stop = async (): Promise<void> => {
    await database.stop();
    // Outside the run's folder only where PostgreSQL's account could not reach that: then in a folder made for it.
    if (!database.home.startsWith(folder)) await rm(path.dirname(database.home), { recursive: true, force: true });
  };
  return prepare(database.connectionString, stop).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
}

function chosenPrograms(text: string | undefined): Installation | undefined {
  const [, major, folder] = /^(\d+):(.+)$/.exec(text ?? "") ?? [];
  return major === undefined || folder === undefined ? undefined : { folder, major: Number(major), release: major };
}

/** Makes the templates. Without `stop`, of a server that stays, the databases of the run are dropped at its end. */
async function prepare(connectionString: string, stop?: () => Promise<void>): Promise<TestServer> {
  const run = randomBytes(4).toString("hex");
  const prefix = `aos_test_${run}_`;
  const template = `aos_template_${run}`;
  const seeded = `${template}_seeded`;
  const inPool = async <T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
    const pool = createPool({ connectionString: url, applicationName: "aos-test-setup", log: silent, max: 2 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  };
  await inPool(connectionString, async (admin) => {
    await checkDatabase(admin);
    await admin.query(`create database ${template} strategy file_copy`);
  });
  await inPool(databaseUrl(connectionString, template), migrate);
  await inPool(connectionString, (admin) =>
    admin.query(`create database ${seeded} template ${template} strategy file_copy`),
  );
  const keys = await inPool(databaseUrl(connectionString, seeded), seed);
  return {
    answer: { connectionString, prefix, template, seeded: { database: seeded, keys: [...keys] } },
    close: stop ?? (() => dropDatabases(connectionString, [prefix, template])),
  };
}

async function dropDatabases(connectionString: string, prefixes: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where exists (select from unnest($1::text[]) prefix where starts_with(datname, prefix))",
    [prefixes],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}

/** Does what a service does at its first start, once for all. Returns the secrets of the role keys. */
async function seed(pool: pg.Pool): Promise<Map<string, string>> {
  const newId = createIds(systemClock);
  const parts = { newId, clock: systemClock, random: randomBytes };
  await seedInstallation(pool, { ...parts, sample: true, sampleEvaluation: false });
  await ensurePartitions(pool, systemClock);
  const secrets = await openSecrets({ pool, keySource: { secretKey: testSecretKey, dataDir: "" } });
  await Promise.all([secrets.auditSigningKey(), secrets.cursorKey(), secrets.credentialKey()]);
  return insertRoleKeys(pool, newId);
}

/** The same server and user, another database. */
export function databaseUrl(connectionString: string, database: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return url.href;
}
