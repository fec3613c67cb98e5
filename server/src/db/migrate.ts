import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { DatabaseError } from "./database-error.ts";

/** One forward step of the schema. */
export interface Migration {
  /** The file's name: `0001_organizations.sql`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string;
}

/** What a run of {@link migrate} did: the names of the migrations that it applied, in order. */
export interface MigrationResult {
  readonly applied: readonly string[];
}

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** The queue's own schema is recorded like a migration of this name; its checksum is the queue's release. */
const QUEUE = "graphile-worker";
/** Any number that no other user of advisory locks in this database takes: the bytes of "aos migr". */
const LOCK = "7020956927205664626";

/** Undefined table: nothing was ever applied. */
const UNDEFINED_TABLE = "42P01";

/** Reads `NNNN_name.sql`, sorted; refuses other names and a number that is used twice. */
export async function readMigrations(folder: string = FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    const number = FILE_NAME.exec(name)?.[1];
    if (number === undefined)
      throw new DatabaseError(`The migration ${name} is not named like 0001_lower_case_words.sql: rename it.`);
    if (numbers.has(number))
      throw new DatabaseError(`Two migrations have the number ${number}: give ${name} the next free one.`);
    numbers.add(number);
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Brings the database to the schema of this release: the queue's own migrations (schema `graphile_worker`), then ours, each once and in a transaction of its
 * own. Safe when several processes start at once. Where nothing is to do this is one query. Needs a pool of at least two connections.
 *
 * Refuses, with a {@link DatabaseError}, a migration that was changed after it had been applied, one that comes too late in the order, and a
 * database that a newer release has migrated.
 */
export async function migrate(pool: pg.Pool, folder: string = FOLDER): Promise<MigrationResult> {
  const migrations = await readMigrations(folder);
  if (pending(migrations, await appliedChecksums(pool)).isCurrent) return { applied: [] };
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    return { applied: await applyPending(pool, client, migrations) };
  } finally {
    client.release(true); // ends the session: with it the lock and the changed limits
  }
}

async function applyPending(
  pool: pg.Pool,
  client: pg.PoolClient,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  await client.query(
    "create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())",
  );
  const todo = pending(migrations, await appliedChecksums(client));
  const done: string[] = [];
  if (todo.queue) {
    const { Logger, runMigrations } = await import("graphile-worker");
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) });
    await client.query(
      "insert into schema_migrations (name, checksum) values ($1, $2) on conflict (name) do update set checksum = excluded.checksum, applied_at = now()",
      [QUEUE, queueRelease()],
    );
    done.push(QUEUE);
  }
  for (const migration of todo.own) {
    await applyOne(client, migration);
    done.push(migration.name);
  }
  return done;
}

async function applyOne(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    const { message, position } = cause as { message: string; position?: string };
    const line =
      position === undefined ? "" : ` at line ${migration.sql.slice(0, Number(position) - 1).split("\n").length}`;
    throw new DatabaseError(`The migration ${migration.name} failed${line} and was rolled back: ${message}`, { cause });
  }
}

async function appliedChecksums(from: pg.Pool | pg.PoolClient): Promise<ReadonlyMap<string, string>> {
  try {
    const { rows } = await from.query<{ name: string; checksum: string }>(
      "select name, checksum from schema_migrations",
    );
    return new Map(rows.map((row) => [row.name, row.checksum]));
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return new Map();
    throw error;
  }
}

/** Compares what is applied with what this release has. */
function pending(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): { isCurrent: boolean; queue: boolean; own: readonly Migration[] } {
  const known = new Set(migrations.map((migration) => migration.name));
  const appliedNames = [...applied.keys()].filter((name) => name !== QUEUE).sort();
  const unknown = appliedNames.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new DatabaseError(
      `The database has the migration ${unknown}, which this release does not know: start the newer release that made it.`,
    );
  }
  for (const migration of migrations) {
    const checksum = applied.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new DatabaseError(
        `This database was made by another version of the service: migration ${migration.name} has changed since. Start that version, or a new AOS_DATA_DIR. If you changed the file: restore it, and put the change into a new migration.`,
      );
    }
  }
  const own = migrations.filter((migration) => !applied.has(migration.name));
  const last = appliedNames.at(-1);
  const late = own.find((migration) => last !== undefined && migration.name < last);
  if (late !== undefined) {
    throw new DatabaseError(
      `The migration ${late.name} comes before ${last}, which is already applied: give it the next free number.`,
    );
  }
  const queue = applied.get(QUEUE) !== queueRelease();
  return { isCurrent: !queue && own.length === 0, queue, own };
}

let release: string | undefined;

/** The installed release of the queue; its package does not export its package.json, so the file is found beside its entry. */
function queueRelease(): string {
  if (release === undefined) {
    const require = createRequire(import.meta.url);
    const folder = path.dirname(require.resolve("graphile-worker"));
    release = (require(path.join(folder, "..", "package.json")) as { version: string }).version;
  }
  return release;
}
