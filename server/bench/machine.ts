import { statfs } from "node:fs/promises";
import os from "node:os";
import type pg from "pg";

const tmpfs = 0x01021994;

/** The machine and the programs, as lines. */
export async function machineLines(folder: string): Promise<string[]> {
  const cpus = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(1);
  const lines = [
    `${cpus[0]?.model.trim() ?? "unknown processor"}, ${os.availableParallelism()} of ${cpus.length} cores, ${memory} GB of memory, ${os.type()} ${os.release()}`,
    `Node ${process.version}; client, service and database share the machine; load average at the start ${os.loadavg()[0]?.toFixed(1)}`,
    `data in ${folder}`,
  ];
  const { type } = await statfs(folder);
  if (type === tmpfs)
    lines.push(
      "THIS FOLDER IS IN MEMORY: nothing is made durable here, figures are worthless. Set AOS_BENCH_DIR to a folder on a disk.",
    );
  return lines;
}

const settings = [
  "fsync",
  "synchronous_commit",
  "full_page_writes",
  "wal_level",
  "wal_compression",
  "shared_buffers",
  "max_wal_size",
  "checkpoint_timeout",
  "effective_io_concurrency",
  "jit",
];

/** The database's version and the settings that such figures depend on, as one line. */
export async function databaseLine(pool: pg.Pool): Promise<string> {
  const version = await pool.query<{ v: string }>("select current_setting('server_version') as v");
  const { rows } = await pool.query<{ name: string; value: string }>(
    "select name, current_setting(name) as value from pg_settings where name = any($1) order by array_position($1, name)",
    [settings],
  );
  return `PostgreSQL ${version.rows[0]?.v}: ${rows.map(({ name, value }) => `${name} ${value}`).join(", ")}`;
}

/** Rows of the tables that a dispatch writes, as one text. */
export async function rowsLine(pool: pg.Pool): Promise<string> {
  const counts = await Promise.all(
    ["tasks", "approvals", "audit_records", "events"].map(async (table) => {
      const { rows } = await pool.query<{ n: string }>(`select count(*) as n from ${table}`);
      return `${Number(rows[0]?.n).toLocaleString("en")} ${table.replace("_", " ")}`;
    }),
  );
  return counts.join(", ");
}
