import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Service } from "../../server/bench/service.ts";

/** One look at a service: figures by name, such as `rss_bytes` or `table:tasks_bytes`. */
export type Sample = Readonly<Record<string, number>>;

export const metricsToken = "soak-soak-soak-soak";

/** Looks at memory, event loop, files and tables of a running service. */
export async function takeSample(service: Service): Promise<Sample> {
  const [memory, disk, tables] = await Promise.all([readMetrics(service), readFolders(service), readTables(service)]);
  return { ...memory, ...disk, ...tables };
}

const metrics: Readonly<Record<string, string>> = {
  rss_bytes: "process_resident_memory_bytes",
  heap_used_bytes: "nodejs_heap_size_used_bytes",
  heap_total_bytes: "nodejs_heap_size_total_bytes",
  external_bytes: "nodejs_external_memory_bytes",
  loop_p50_seconds: "nodejs_eventloop_lag_p50_seconds",
  loop_p99_seconds: "nodejs_eventloop_lag_p99_seconds",
  loop_max_seconds: "nodejs_eventloop_lag_max_seconds",
};

async function readMetrics({ url }: Service): Promise<Sample> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const text = await answer.text();
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  return Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, figure(metric)]));
}

/** Bytes on disk by part of the data folder; the database's may lie elsewhere. */
async function readFolders({ dataDir, socketFolder }: Service): Promise<Sample> {
  const inside = (await readdir(dataDir)).find((name) => /^postgres-\d+$/.test(name));
  const home = inside ? path.join(dataDir, inside) : path.dirname(socketFolder);
  const data = path.join(home, "data");
  const [folder, database, log] = await Promise.all([sizeOf(dataDir), sizeOf(home), sizeOf(path.join(data, "pg_wal"))]);
  const files = inside ? folder - database : folder;
  return {
    disk_bytes: files + database,
    disk_wal_bytes: log,
    disk_tables_bytes: database - log,
    disk_files_bytes: files,
  };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const { blocks } = await lstat(path.join(entry.parentPath, entry.name)).catch(() => ({ blocks: 0 }));
      return entry.isDirectory() ? 0 : blocks * 512;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

interface TableRow {
  readonly name: string;
  readonly bytes: string;
  readonly rows: string;
  readonly dead: string;
}

/** Tables with their partitions: bytes with indexes, and rows as PostgreSQL estimates them. */
async function readTables({ pool }: Service): Promise<Sample> {
  const { rows } = await pool.query<TableRow>(
    `select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid)) as bytes, sum(s.n_live_tup) as rows, sum(s.n_dead_tup) as dead
     from pg_class c join pg_stat_user_tables s on s.relid = c.oid
     left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' group by 1`,
  );
  return Object.fromEntries(
    rows.flatMap(({ name, bytes, rows: count, dead }) => [
      [`table:${name}_bytes`, Number(bytes)],
      [`table:${name}_rows`, Number(count)],
      [`table:${name}_dead`, Number(dead)],
    ]),
  );
}

/** Resident memory of the embedded PostgreSQL's processes, shared memory counted once each; for Linux. */
export async function databaseMemory(service: Service): Promise<number> {
  const file = path.join(path.dirname(service.socketFolder), "data/postmaster.pid");
  const [pid] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  if (!pid) return Number.NaN;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const sizes = await Promise.all(
    [pid, ...children.trim().split(" ")].map(async (one) => {
      const text = await readFile(`/proc/${one}/smaps_rollup`, "utf8").catch(() => "");
      return 1024 * Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
