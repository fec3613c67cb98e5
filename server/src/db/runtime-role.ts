import type pg from "pg";
import { DatabaseError } from "./database-error.ts";

/** What the runtime role may do with the tables that it must not own. Every other table it reads and writes freely. */
const limited: Readonly<Record<string, string>> = {
  audit_records: "select, insert, update (context)", // a context is erased, never changed: a trigger sees to it
  audit_leaves: "select, insert",
  audit_logs: "select, insert, update",
  audit_tiles: "select, insert, update",
  audit_key_counters: "select, insert, update",
  audit_salts: "select, insert, delete",
  audit_erasures: "select, insert",
  audit_closed_logs: "select, insert",
  audit_refused_records: "select, insert",
  events: "select, insert",
  event_positions: "select, insert",
  partitioned_tables: "select",
  schema_migrations: "select",
};
const free = "select, insert, update, delete";

/** Any number that no other user of advisory locks in this database takes: the bytes of "aosgrant", cut. */
const lock = "6516519107";

/**
 * Gives the role of `runtime` the rights that the service needs to run and nothing else: nothing that alters, truncates or disables a trigger of a table. Runs at every
 * start with two roles, so that tables of a new release are covered. Refuses a runtime role that could take more by itself.
 */
export async function grantRuntimeRole(owner: pg.Pool, runtime: pg.Pool): Promise<void> {
  const { rows } = await runtime.query<{ role: string }>("select current_user as role");
  const role = rows[0]?.role as string;
  const client = await owner.connect();
  try {
    await refuseStrongRole(client, role);
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [lock]);
    for (const statement of await grants(client, role)) await client.query(statement);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

async function refuseStrongRole(client: pg.PoolClient, role: string): Promise<void> {
  const { rows } = await client.query<{ superuser: boolean; owns: string | null; creates: boolean }>(
    `select r.rolsuper as superuser,
       (select c.relname from pg_class c where c.oid = any($2::regclass[]) and pg_has_role(r.oid, c.relowner, 'member') limit 1) as owns,
       has_schema_privilege(r.oid, current_schema()::regnamespace, 'create') as creates
     from pg_roles r where r.rolname = $1`,
    [role, Object.keys(limited)],
  );
  const found = rows[0];
  const why = found?.superuser
    ? "is a superuser"
    : found?.owns
      ? `owns the table ${found.owns}, or may act as its owner`
      : found?.creates
        ? "may create tables in the service's schema"
        : null;
  if (why === null) return;
  throw new DatabaseError(
    `The role ${role} of DATABASE_URL ${why}, so it could change the audit log: use a role of its own with only the right to connect, or unset AOS_MIGRATE_DATABASE_URL to run with one role.`,
  );
}

const foreignTable = (table: string): string =>
  `The role of AOS_MIGRATE_DATABASE_URL does not own the service's table ${table}, so it cannot grant rights on it: set there the role that owns the service's tables.`;

/** A table of somebody else in the schema (an extension's, a database administrator's) is none of the service's, and not the owner's to grant. */
const ownTables = `
  select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and pg_has_role(relowner, 'usage')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = pg_class.oid and d.deptype = 'e')
  order by 1`;

/** Partitions get no rights of their own: the service reaches them through their tables. The queue's tables have row security, and so a policy for the role. */
async function grants(client: pg.PoolClient, name: string): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(ownTables);
  const foreign = Object.keys(limited).find((table) => !tables.some(({ name: own }) => own === table));
  if (foreign !== undefined) throw new DatabaseError(foreignTable(foreign));
  const { rows: queue } = await client.query<{ name: string; secured: boolean }>(
    `select relname as name, relrowsecurity and not exists (select from pg_policies p
        where p.schemaname = 'graphile_worker' and p.tablename = relname and p.policyname = 'aos_' || $1) as secured
      from pg_class where relnamespace = 'graphile_worker'::regnamespace and relkind = 'r' order by 1`,
    [name],
  );
  const named = (text: string): string => client.escapeIdentifier(text);
  const role = named(name);
  return [
    ...tables.map((table) => `revoke all on ${named(table.name)} from ${role}`),
    ...tables.map((table) => `grant ${limited[table.name] ?? free} on ${named(table.name)} to ${role}`),
    `grant execute on function ensure_partitions(timestamptz, timestamptz) to ${role}`,
    `grant usage on schema graphile_worker to ${role}`,
    `grant ${free} on all tables in schema graphile_worker to ${role}`,
    `grant usage on all sequences in schema graphile_worker to ${role}`,
    ...queue
      .filter(({ secured }) => secured)
      .map(
        (table) =>
          `create policy ${named(`aos_${name}`)} on graphile_worker.${named(table.name)} to ${role} using (true) with check (true)`,
      ),
  ];
}
