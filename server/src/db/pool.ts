import pg from "pg";
import { DatabaseError, type DatabaseLog } from "./database-error.ts";

export { DatabaseError, type DatabaseLog } from "./database-error.ts";

/** The oldest PostgreSQL that the service runs on, as `server_version_num` counts. */
const OLDEST_VERSION = 150_000;

export interface PoolOptions {
  /** `postgresql://user:password@host:port/database`, or that of the embedded database. */
  readonly connectionString: string;
  /** Shown in `pg_stat_activity`, so that an operator sees which process holds what: `aos-api`, `aos-worker`. */
  readonly applicationName: string;
  readonly log: DatabaseLog;
  /** Connections at most; 10 by default. */
  readonly max?: number;
  /** A statement that takes longer is cancelled (milliseconds, 30,000 by default, 0 for never). */
  readonly statementTimeoutMs?: number;
  /** Sessions that cannot write: PostgreSQL refuses it. */
  readonly readOnly?: boolean;
}

/**
 * A pool of connections.
 *
 * - A connection that breaks is logged and replaced; it never ends the process.
 * - `bigint` arrives as a number; one beyond 2^53 − 1 fails its query instead of being rounded. `numeric` arrives as text, `timestamptz` as `Date`,
 *   `date` as text (`2026-01-31`: a day has no time zone), `json` and `jsonb` parsed.
 * - Sessions run in UTC. A statement, a wait for a lock and an idle transaction have limits, so that no stuck call holds others up for ever.
 *   A setting in the connection string's own `options` wins.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const statement = options.statementTimeoutMs ?? 30_000;
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.max ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: statement,
    lock_timeout: statement === 0 ? 0 : Math.min(statement, 10_000),
    idle_in_transaction_session_timeout: 60_000,
    options: options.readOnly ? "-c timezone=UTC -c default_transaction_read_only=on" : "-c timezone=UTC",
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  const report = (error: Error): void => {
    if (pool.ending) return; // sockets close a moment after the pool has ended
    options.log.warn(`A database connection broke and is replaced (${errorCode(error) ?? "closed"}).`);
  };
  pool.on("error", report);
  // A connection that is in use reports to its own listeners; without one Node would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Connects once and checks the server's version. Fails with a {@link DatabaseError} that says in one line what is wrong and what to do. Answers
 * the version as a number, such as 150018.
 */
export async function checkDatabase(pool: pg.Pool, setting = "DATABASE_URL"): Promise<number> {
  let version: number;
  try {
    const { rows } = await pool.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    version = rows[0]?.version ?? 0;
  } catch (cause) {
    throw connectionError(cause, pool.options, setting);
  }
  if (version < OLDEST_VERSION) {
    throw new DatabaseError(
      `The database at ${target(pool.options)} is PostgreSQL ${Math.floor(version / 10_000)}; the service needs 15 or newer: upgrade it, or unset DATABASE_URL to use the embedded one.`,
    );
  }
  return version;
}

/** What went wrong, by SQLSTATE (PostgreSQL, appendix A) or the operating system's code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing accepts connections there; check host and port and that the server runs",
  ENOENT: "its socket does not exist; check that the server runs",
  EACCES: "this user may not use its socket",
  ENOTFOUND: "its host name is unknown; check the host",
  EAI_AGAIN: "its host name could not be looked up; check the network",
  ETIMEDOUT: "it does not answer; check host, port and firewall",
  EHOSTUNREACH: "its host cannot be reached; check the network",
  ECONNRESET: "it closed the connection; check that this is a PostgreSQL server and whether it wants TLS (sslmode)",
  "28P01": "it refused the password; check user and password",
  "28000": "it refused this user; check user, password and its pg_hba.conf",
  "3D000": "the database does not exist; create it first",
  "53300": "it has no connection left; raise max_connections or run fewer processes",
  "57P03": "it is starting up or shutting down; try again in a moment",
  "42501": "this user may not do that; give it the rights of the database's owner",
};

/** The one line for a connection that failed; the driver's error stays in `cause`. */
export function connectionError(cause: unknown, options: pg.PoolOptions, setting = "DATABASE_URL"): DatabaseError {
  const code = errorCode(cause);
  const message = cause instanceof Error ? cause.message : "";
  const reason =
    (code === undefined ? undefined : REASONS[code]) ??
    (/timeout/i.test(message) ? REASONS.ETIMEDOUT : undefined) ??
    (/ssl|tls|certificate/i.test(message) ? "TLS could not be agreed on; check sslmode and certificates" : undefined) ??
    (/password/i.test(message) ? REASONS["28P01"] : undefined) ??
    `the connection failed${code === undefined ? "" : ` (${code})`}`;
  return new DatabaseError(`The database at ${target(options)} cannot be used: ${reason}. It is set by ${setting}.`, {
    cause,
  });
}

function errorCode(error: unknown): string | undefined {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = (inner as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Host, port and database; never user or password. */
function target(options: pg.PoolOptions): string {
  const client = new pg.Client(options);
  const host = client.host.includes(":") ? `[${client.host}]` : client.host;
  return host.startsWith("/") ? `${host} (database ${client.database})` : `${host}:${client.port}/${client.database}`;
}

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const DATE_ARRAY = 1182;
const TEXT_ARRAY = 1009;

type Parser = (value: string) => unknown;

function typeParser(oid: number, format?: "text" | "binary"): Parser {
  if (format !== "binary") {
    if (oid === INT8) return safeInteger;
    if (oid === INT8_ARRAY) return (value) => integers(textArray(value));
    if (oid === DATE) return (value) => value;
    if (oid === DATE_ARRAY) return textArray;
  }
  return (pg.types.getTypeParser as (oid: number, format?: string) => Parser)(oid, format);
}

function textArray(value: string): unknown {
  return typeParser(TEXT_ARRAY)(value);
}

function integers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(integers);
  return value === null ? null : safeInteger(String(value));
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53 - 1: select it as text`);
  return value;
}
