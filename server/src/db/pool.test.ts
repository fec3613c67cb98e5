import { once } from "node:events";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../testing/database.ts";
import { checkDatabase, createPool, DatabaseError } from "./pool.ts";

const log = { info: () => undefined, warn: () => undefined };

describe("a pool", () => {
  const database = useDatabase();

  it("reads bigint as a number, alone and in arrays", async () => {
    const { rows } = await database.pool.query(
      "select 9007199254740991::bigint as one, array[1, null, 3]::bigint[] as many",
    );
    expect(rows[0]).toEqual({ one: 9007199254740991, many: [1, null, 3] });
  });

  it("fails the query rather than round a bigint, and stays usable", async () => {
    await expect(database.pool.query("select 9007199254740993::bigint")).rejects.toThrow(
      "bigint 9007199254740993 is beyond 2^53 - 1",
    );
    expect((await database.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  it("leaves a day a day, whatever the time zone", async () => {
    const { rows } = await database.pool.query("select '2026-03-29'::date as day, array['2026-03-29'::date] as days");
    expect(rows[0]).toEqual({ day: "2026-03-29", days: ["2026-03-29"] });
  });

  it("keeps its sessions in UTC", async () => {
    expect((await database.pool.query("show timezone")).rows).toEqual([{ TimeZone: "UTC" }]);
  });

  it("cancels a statement that takes longer than its limit", async () => {
    const pool = createPool({
      connectionString: database.connectionString,
      applicationName: "test",
      log,
      statementTimeoutMs: 50,
    });
    await expect(pool.query("select pg_sleep(30)")).rejects.toMatchObject({ code: "57014" });
    await pool.end();
  });

  it("survives that the server cuts its connections, idle or in use", async () => {
    const pool = createPool({ connectionString: database.connectionString, applicationName: "victim", log, max: 2 });
    const inUse = await pool.connect();
    const idle = await pool.connect();
    idle.release();
    const cut = Promise.all(
      [inUse, idle].map((client) => new Promise<void>((resolve) => client.once("end", () => resolve()))),
    );
    await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'",
    );
    await cut;
    inUse.release(true);
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it("answers the server's version", async () => {
    expect(await checkDatabase(database.pool)).toBeGreaterThanOrEqual(150_000);
  });
});

describe("a database that cannot be used", () => {
  const failure = async (connectionString: string): Promise<Error> => {
    const pool = createPool({ connectionString, applicationName: "test", log });
    const error = await checkDatabase(pool).catch((reason: Error) => reason);
    await pool.end();
    return error as Error;
  };

  it("is named in one line without user and password when nothing listens there", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    server.close();
    await once(server, "close");
    const error = await failure(`postgresql://someone:hunter2@127.0.0.1:${port}/orders`);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error.message).toBe(
      `The database at 127.0.0.1:${port}/orders cannot be used: nothing accepts connections there; check host and port and that the server runs. It is set by DATABASE_URL.`,
    );
  });

  it("is named when the socket's folder is empty", async () => {
    const error = await failure("postgresql:///orders?host=/nonexistent&user=me");
    expect(error.message).toContain("/nonexistent (database orders) cannot be used: its socket does not exist");
  });

  it("is refused when it is older than PostgreSQL 15", async () => {
    const query = async () => ({ rows: [{ version: 140_012 }] });
    const old = { options: { host: "db.example", port: 5432, database: "orders", user: "me" }, query } as never;
    await expect(checkDatabase(old)).rejects.toThrow(
      "The database at db.example:5432/orders is PostgreSQL 14; the service needs 15 or newer",
    );
  });
});
