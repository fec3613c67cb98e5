import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { addPeople, type Person } from "../arrange.ts";
import { clientOf, dispatchPath } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

describe("a service whose role owns no table", () => {
  const suffix = randomBytes(4).toString("hex");
  const [owner, runtime] = [`aos_owner_${suffix}`, `aos-runtime-${suffix}`];
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let service: ServiceProcess;
  let admin: Person;

  const urlAs = (role: string): string => {
    const url = new URL(database.connectionString);
    url.searchParams.set("user", role); // wins over the name before the host, and works for a socket
    return url.href;
  };
  const start = (databaseUrl: string, env: Record<string, string> = {}) =>
    startService({ databaseUrl, dataDir: folder.dataDir, role: "all", env: { AOS_SAMPLE: "on", ...env } });
  /** One statement in a session of the role. */
  const as = async (role: string, statement: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: urlAs(role) });
    await client.connect();
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase({ migrated: false }), dataFolder()]);
    const name = new URL(database.connectionString).pathname.slice(1);
    await database.pool.query(
      `create role ${owner} login; create role "${runtime}" login; grant all on database ${name} to ${owner}; alter schema public owner to ${owner}`,
    );
    service = await start(urlAs(runtime), { AOS_MIGRATE_DATABASE_URL: urlAs(owner) });
    [admin] = (await addPeople(database.pool, 1, "admin")) as [Person];
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await database?.pool.query(
      `drop owned by ${owner} cascade; drop owned by "${runtime}" cascade; drop role ${owner}; drop role "${runtime}"`,
    );
    await database?.close();
    await folder?.remove();
  });

  it("serves, runs a task and proves its record", async () => {
    const client = clientOf(service.url, admin.secret);
    const { status, body } = await client("POST", dispatchPath, {
      body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: false },
    });
    expect(status).toBe(202);
    await until(
      "the task completes",
      async () => (await client("GET", `/v1/tasks/${body.task_id}`)).body.status === "completed",
      30_000,
    );
    expect((await client("GET", `/v1/audit/events/${body.audit_ref}/proof`)).status).toBe(200);
  });

  it.each([
    "alter table audit_records disable trigger all",
    "alter table audit_logs disable trigger refuse_change",
    "drop trigger refuse_change on audit_leaves",
    "create or replace function refuse_log_change() returns trigger language plpgsql as $$ begin return new; end $$",
    "set session_replication_role = replica",
    "truncate audit_records",
    "truncate audit_tiles",
    "truncate audit_salts",
    "delete from audit_records",
    "delete from audit_records_default",
    "delete from audit_logs",
    "delete from audit_key_counters",
    "update audit_records set body = '{}'",
    "update audit_leaves set decision = 'refused'",
    "update event_positions set sequence = sequence + 1",
    "begin; set local aos.log_maintenance = 'retention'; delete from audit_leaves; commit",
    "begin; set local aos.log_maintenance = 'retention'; update audit_tiles set data = ''; commit",
    "update audit_logs set tree_size = 1",
    "update partitioned_tables set id_prefix = 'evt'",
    "delete from schema_migrations",
    "alter table audit_records add column forged text",
    "alter table audit_records detach partition audit_records_default",
    "create table public.audit_records_y2099m01 (organization text)",
  ])("cannot: %s", async (statement) => {
    await expect(as(runtime, statement)).rejects.toThrow(/permission denied|must be owner|is refused/);
  });

  it("makes new partitions as their owner", async () => {
    expect(
      (await as(runtime, "select ensure_partitions(now() + interval '1 year', now() + interval '1 year') as made"))
        .rows[0].made,
    ).toBeGreaterThan(0);
    const { rows } = await as(owner, "select distinct tableowner from pg_tables where tablename like 'audit\\_%'");
    expect(rows).toEqual([{ tableowner: owner }]);
  });

  it("does not start with a role that could take the rights by itself", async () => {
    const options = { AOS_MIGRATE_DATABASE_URL: urlAs(owner) };
    await expect(start(database.connectionString, options)).rejects.toThrow("is a superuser");
    await expect(start(urlAs(owner), options)).rejects.toThrow("may act as its owner");
  });

  it("starts again without the owner's password as long as nothing is to migrate, and else says what to do", async () => {
    await service.stop();
    service = await start(urlAs(runtime));
    await service.stop();
    await as(
      owner,
      "delete from schema_migrations where name = (select max(name) from schema_migrations where name like '0%')",
    );
    await expect(start(urlAs(runtime))).rejects.toThrow("start one process with AOS_MIGRATE_DATABASE_URL");
  });
});
