import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { createPool } from "./pool.ts";

const log = { info: () => undefined, warn: () => undefined };

describe("migrating", () => {
  let folder: string;
  let database: TestDatabase;
  const file = (name: string, sql: string): Promise<void> => writeFile(path.join(folder, name), sql);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "aos-migrations-"));
    database = await testDatabase({ migrated: false });
    await file("0001_first.sql", "create table first (id int);");
    await file("0002_second.sql", "alter table first add name text; insert into first values (1, 'one');");
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
    await database.close();
  });

  it("applies the queue's schema and each file once, in order", async () => {
    expect(await migrate(database.pool, folder)).toEqual({
      applied: ["graphile-worker", "0001_first.sql", "0002_second.sql"],
    });
    expect(await migrate(database.pool, folder)).toEqual({ applied: [] });
    const { rows } = await database.pool.query(
      "select to_regclass('graphile_worker.jobs') is not null as queue, (select count(*) from first) as rows",
    );
    expect(rows).toEqual([{ queue: true, rows: 1 }]);
  });

  it("asks the database once when nothing is to do", async () => {
    await migrate(database.pool, folder);
    let queries = 0;
    const counting = new Proxy(database.pool, {
      get(pool, name) {
        if (name === "query" || name === "connect") queries += 1;
        const value = Reflect.get(pool, name) as unknown;
        return typeof value === "function" ? value.bind(pool) : value;
      },
    });
    await migrate(counting, folder);
    expect(queries).toBe(1);
  });

  it("applies each file once when several processes start at once", async () => {
    const pools = Array.from({ length: 4 }, () =>
      createPool({ connectionString: database.connectionString, applicationName: "test", log, max: 2 }),
    );
    const results = await Promise.all(pools.map((pool) => migrate(pool, folder)));
    await Promise.all(pools.map((pool) => pool.end()));
    expect(results.flatMap((result) => result.applied)).toEqual([
      "graphile-worker",
      "0001_first.sql",
      "0002_second.sql",
    ]);
  });

  it("applies what a later release adds", async () => {
    await migrate(database.pool, folder);
    await file("0003_third.sql", "create table third (id int);");
    expect(await migrate(database.pool, folder)).toEqual({ applied: ["0003_third.sql"] });
  });

  it("rolls a failing migration back whole, keeps those before it and names the line", async () => {
    await file("0003_broken.sql", "create table third (id int);\nselect nothing from nowhere;");
    await expect(migrate(database.pool, folder)).rejects.toThrow(
      "The migration 0003_broken.sql failed at line 2 and was rolled back",
    );
    const { rows } = await database.pool.query(
      "select to_regclass('first') is not null as first, to_regclass('third') is not null as third",
    );
    expect(rows).toEqual([{ first: true, third: false }]);
  });

  it("refuses a migration that was changed after it had been applied", async () => {
    await migrate(database.pool, folder);
    await file("0001_first.sql", "create table first (id bigint);");
    await expect(migrate(database.pool, folder)).rejects.toThrow("migration 0001_first.sql has changed since");
  });

  it("refuses a database that a newer release has migrated", async () => {
    await migrate(database.pool, folder);
    await rm(path.join(folder, "0002_second.sql"));
    await expect(migrate(database.pool, folder)).rejects.toThrow(
      "has the migration 0002_second.sql, which this release does not know",
    );
  });

  it("refuses a migration that comes before one that is applied", async () => {
    await rm(path.join(folder, "0001_first.sql"));
    await file("0002_second.sql", "select 1;");
    await migrate(database.pool, folder);
    await file("0001_first.sql", "select 1;");
    await expect(migrate(database.pool, folder)).rejects.toThrow(
      "The migration 0001_first.sql comes before 0002_second.sql",
    );
  });

  it("refuses a name without a number and a number used twice", async () => {
    await file("0002_again.sql", "select 1;");
    await expect(readMigrations(folder)).rejects.toThrow("Two migrations have the number 0002");
    await file("0000-Odd.sql", "select 1;");
    await expect(readMigrations(folder)).rejects.toThrow("The migration 0000-Odd.sql is not named like");
  });
});
