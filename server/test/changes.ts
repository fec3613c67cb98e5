import type { TestApp } from "../src/testing/app.ts";

/** The audit log's own tables: every call writes there, refused ones as well. */
export const logTables = [
  "audit_records",
  "audit_leaves",
  "audit_logs",
  "audit_tiles",
  "audit_key_counters",
  "audit_salts",
  "event_positions",
  "partitioned_tables",
] as const;

/** The tables whose changes are logged: all of the service and of its queue but the audit log's. */
const loggedTables = `select c.oid, n.nspname || '.' || c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all('{${logTables.join(",")}}')`;

// Statements that change no row are not logged, nor is when a key was last used, which is written later. A rolled-back change leaves no line.
const install = `
create schema test_log;
create table test_log.changes (name text not null, what text not null);
create function note_test_change() returns trigger language plpgsql as $$
declare changed boolean := true;
begin
  if tg_op = 'INSERT' then select exists (select from new_rows) into changed;
  elsif tg_op = 'DELETE' then select exists (select from old_rows) into changed;
  elsif tg_op = 'UPDATE' then
    select exists (select to_jsonb(r) - 'last_used_at' from old_rows r except all select to_jsonb(r) - 'last_used_at' from new_rows r) into changed;
  end if;
  if changed then insert into test_log.changes values (tg_table_schema || '.' || tg_table_name, lower(tg_op)); end if;
  return null;
end $$;
do $$
declare one regclass;
begin
  for one in select oid from (${loggedTables}) logged loop
    execute format('create trigger test_log_insert after insert on %s referencing new table as new_rows execute function note_test_change()', one);
    execute format('create trigger test_log_update after update on %s referencing old table as old_rows new table as new_rows execute function note_test_change()', one);
    execute format('create trigger test_log_delete after delete on %s referencing old table as old_rows execute function note_test_change()', one);
    execute format('create trigger test_log_truncate after truncate on %s execute function note_test_change()', one);
  end loop;
end $$;`;

const installed = new Map<string, Promise<unknown>>();

/**
 * From here on notes what changes in the database. Returns what changed since, as `<table> <insert, update, delete or truncate>`, but for the tables that are
 * named. A second call forgets what the first noted.
 */
export async function watchChanges(
  app: Pick<TestApp, "pool" | "connectionString">,
): Promise<(except?: readonly string[]) => Promise<string[]>> {
  const ready = installed.get(app.connectionString) ?? app.pool.query(install);
  installed.set(app.connectionString, ready);
  await ready;
  await app.pool.query("delete from test_log.changes");
  return async (except = []) => {
    const { rows } = await app.pool.query<{ line: string }>(
      "select distinct name || ' ' || what as line from test_log.changes where name <> all($1) order by 1",
      [except.map((name) => `public.${name}`)],
    );
    return rows.map(({ line }) => line);
  };
}

/** Tables whose inserts, updates, deletes and truncations are not all logged. */
export async function unwatchedTables(app: Pick<TestApp, "pool">): Promise<string[]> {
  // The bits of pg_trigger.tgtype: 4 insert, 8 delete, 16 update, 32 truncate.
  const { rows } = await app.pool.query<{ name: string }>(
    `select name from (${loggedTables}) logged where
       (select coalesce(bit_or(tgtype::int & 60), 0) from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where tgrelid = logged.oid and proname = 'note_test_change' and tgenabled <> 'D') <> 60 order by 1`,
  );
  return rows.map(({ name }) => name);
}
