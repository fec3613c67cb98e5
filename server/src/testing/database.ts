import { randomBytes } from "node:crypto";
import { appendFile } from "node:fs/promises";
import net from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import type { DatabaseLog } from "../db/database-error.ts";
import { createPool } from "../db/pool.ts";
import { databaseUrl, type TestServerAnswer } from "./vitest-setup.ts";

/** A database of this test file alone, migrated and empty. */
export interface TestDatabase {
  readonly pool: pg.Pool;
  /** For code under test that opens its own connections. */
  readonly connectionString: string;
  /** Drops the database; fails where connections to it are still open, naming their count. `areErrorsKept`: {@link keepRecordedErrors} was called. */
  close(areErrorsKept?: boolean): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Connections of the pool at most; 10 by default. */
  readonly max?: number;
  /** False: an empty database without the schema. */
  readonly migrated?: boolean;
  /** Whether it holds what a service makes at its first start, and a key for each role ({@link seededKeys}). */
  readonly seeded?: boolean;
  /** How long a connection that was closed may still show on the server before it counts as leaked (milliseconds, 2,000 by default). */
  readonly closingMs?: number;
}

/**
 * Makes a database for the calling test file, as a copy of the migrated template. The server is started on the first call of the run. Close it in `afterAll`, or use
 * {@link useDatabase}, which does.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = await testServer();
  const name = `${server.prefix}${randomBytes(6).toString("hex")}`;
  const template = options.migrated === false ? "template0" : options.seeded ? server.seeded.database : server.template;
  await asAdmin(server.connectionString, (admin) =>
    // Copying files beats the default, writing every page to the log, four times over (this server does not sync).
    admin.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const connectionString = databaseUrl(server.connectionString, name);
  const { max = 10, closingMs = 2_000 } = options;
  const pool = createPool({
    connectionString,
    applicationName: "aos-test",
    log: silentWhileClosing,
    max,
  });
  return {
    pool,
    connectionString,
    async close(areErrorsKept = false) {
      const unreleased = await unreleasedConnections(pool, closingMs);
      if (unreleased === 0 && !areErrorsKept) await keepRecordedErrors(pool);
      const ended = pool.end();
      if (unreleased === 0) await ended; // with clients that nobody releases it would wait for ever
      await dropDatabase(server, name, unreleased, closingMs);
    },
  };
}

/**
 * A database for the whole test file, made before its tests and dropped after them:
 *
 *     const database = useDatabase();
 *     it("…", async () => { await database.pool.query("…"); });
 */
export function useDatabase(options: TestDatabaseOptions = {}): TestDatabase {
  let current: TestDatabase | undefined;
  const get = (): TestDatabase => {
    if (current === undefined) throw new Error("The test database exists only inside tests and hooks of this file.");
    return current;
  };
  beforeAll(async () => {
    current = await testDatabase(options);
  });
  afterAll(async () => {
    await current?.close();
  });
  return {
    get pool() {
      return get().pool;
    },
    get connectionString() {
      return get().connectionString;
    },
    close: () => get().close(),
  };
}

const silentWhileClosing: DatabaseLog = { info: () => undefined, warn: () => undefined };

async function dropDatabase(server: TestServer, name: string, unreleased: number, closingMs: number): Promise<void> {
  const open = await asAdmin(server.connectionString, async (admin) => {
    const count = unreleased > 0 ? 0 : await openConnections(admin, name, closingMs);
    await admin.query(`drop database ${name} with (force)`);
    return count;
  });
  if (unreleased > 0) {
    throw new Error(
      `This test file leaked connections: ${unreleased} taken from the pool and never released. Release each in a finally block.`,
    );
  }
  if (open > 0) {
    throw new Error(
      `This test file leaked connections: ${open} to its database are still open. Close every pool, worker and service that it starts.`,
    );
  }
}

/** Adds which operation answered which error to the file that `npm test` compares with the declarations (scripts/declared-errors.ts). */
export async function keepRecordedErrors(pool: pg.Pool): Promise<void> {
  const file = process.env.AOS_RECORDED_ERRORS;
  if (file === undefined) return;
  const { rows: tables } = await pool.query("select from pg_class where relname = 'audit_records' and relkind = 'p'");
  if (tables.length === 0) return;
  const { rows } = await pool.query<{ line: string }>(
    `select distinct substring(body from '"operation":"([^"]+)"') || ' ' || substring(body from '"code":"([^"]+)"') as line
     from audit_records where body like '%"code":"%'`,
  );
  await appendFile(file, rows.map(({ line }) => `${line}\n`).join(""));
}

/** Connections of the pool that nobody gives back: what is still under way when the last test ends, such as a look of a feed that was stopped, soon is over. */
async function unreleasedConnections(pool: pg.Pool, closingMs: number): Promise<number> {
  const end = Date.now() + closingMs;
  while (true) {
    const taken = pool.totalCount - pool.idleCount;
    if (taken === 0 || Date.now() > end) return taken;
    await delay(10);
  }
}

/** Connections to the database that remain when those that were just closed are gone. */
async function openConnections(admin: pg.Client, name: string, closingMs: number): Promise<number> {
  const end = Date.now() + closingMs;
  while (true) {
    const { rows } = await admin.query<{ open: number }>(
      "select count(*)::int as open from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [name],
    );
    const open = rows[0]?.open ?? 0;
    if (open === 0 || Date.now() > end) return open;
    await delay(10);
  }
}

async function asAdmin<T>(connectionString: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString, application_name: "aos-test-admin" });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** The secrets of the role keys in every seeded database, by `<environment> <role>`. */
export async function seededKeys(): Promise<ReadonlyMap<string, string>> {
  return new Map((await testServer()).seeded.keys);
}

type TestServer = Exclude<TestServerAnswer, { readonly error: string }>;
let known: Promise<TestServer> | undefined;

/** The run's server, from the global set-up; the first to ask waits for its start. */
function testServer(): Promise<TestServer> {
  known ??= askForServer();
  return known;
}

async function askForServer(): Promise<TestServer> {
  const answer = JSON.parse(await text(net.connect(inject("testServerSocket")))) as TestServerAnswer;
  if ("error" in answer) throw new Error(`There is no test database: ${answer.error}`);
  return answer;
}
