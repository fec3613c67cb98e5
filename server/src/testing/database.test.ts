import pg from "pg";
import { describe, expect, it } from "vitest";
import { testDatabase, useDatabase } from "./database.ts";

describe("a test file's database", () => {
  const database = useDatabase();

  it("has every migration applied", async () => {
    const { rows } = await database.pool.query(
      "select to_regclass('graphile_worker.jobs') is not null as queue, count(*)::int as applied from schema_migrations",
    );
    expect(rows[0]).toMatchObject({ queue: true });
    expect(rows[0].applied).toBeGreaterThan(1);
  });

  it("is not shared: a table made in one is unknown in another", async () => {
    const other = await testDatabase();
    await other.pool.query("create table only_here (id int)");
    const { rows } = await database.pool.query("select to_regclass('only_here') as found");
    expect(rows[0].found).toBeNull();
    await other.close();
  });

  it("is gone after closing", async () => {
    const other = await testDatabase();
    const name = new URL(other.connectionString).pathname.slice(1);
    await other.close();
    const { rows } = await database.pool.query("select 1 from pg_database where datname = $1", [name]);
    expect(rows).toHaveLength(0);
  });

  it("fails on clients that were taken and never released, naming their count", async () => {
    const other = await testDatabase();
    await other.pool.connect();
    await other.pool.connect();
    await expect(other.close()).rejects.toThrow("leaked connections: 2 taken from the pool");
  });

  it("fails on connections that something else left open, naming their count", async () => {
    const other = await testDatabase({ closingMs: 50 });
    const stray = new pg.Client({ connectionString: other.connectionString });
    stray.on("error", () => undefined);
    await stray.connect();
    await expect(other.close()).rejects.toThrow("leaked connections: 1 to its database");
  });
});
