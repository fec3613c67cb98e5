import os from "node:os";

/** One server setting: its name, its value, and why it differs from PostgreSQL's default. */
interface Setting {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

const MB = 1024 * 1024;

/** A share of the memory that this process may use (the container's limit, where there is one), kept within bounds. In megabytes. */
function memoryShareMb(divisor: number, least: number, most: number): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 && limit < os.totalmem() ? limit : os.totalmem();
  return Math.round(Math.min(most, Math.max(least, memory / divisor / MB)));
}

/**
 * The settings of the embedded server, tuned for many small durable writes into growing tables, on a machine shared with the service.
 * They are given on the command line of every start, so that a new release changes them in an existing data folder too.
 */
export function serverSettings(): readonly Setting[] {
  return [
    { name: "fsync", value: "on", why: "an acknowledged call survives a power cut" },
    { name: "synchronous_commit", value: "on", why: "an answer is sent only after its record is on disk" },
    { name: "full_page_writes", value: "on", why: "a page torn by a power cut is repaired from the log" },
    {
      name: "shared_buffers",
      value: `${memoryShareMb(8, 128, 1024)}MB`,
      why: "the hot end of tables and indexes stays in memory",
    },
    {
      name: "max_wal_size",
      value: "4GB",
      why: "each page's first change after a checkpoint logs all 8 kB of it, and keys spread over an index touch nearly all of its pages: the rarer the checkpoint, the less the rate falls as rows accumulate; the price is disk space and a longer recovery",
    },
    {
      name: "min_wal_size",
      value: "512MB",
      why: "log files are reused in place: no new file is created and filled during a burst",
    },
    { name: "checkpoint_timeout", value: "30min", why: "the same reason as max_wal_size" },
    {
      name: "checkpoint_completion_target",
      value: "0.9",
      why: "a checkpoint's writes are spread out instead of delaying commits",
    },
    {
      name: "wal_compression",
      value: "off",
      why: "these binaries are built without lz4 and zstd, and pglz costs more processor time than the disk saves: right after a checkpoint it halved the rate (pgbench, three rows a transaction)",
    },
    {
      name: "wal_buffers",
      value: "16MB",
      why: "one log file of room for commits that wait for the disk, also with small shared_buffers",
    },
    { name: "max_connections", value: "200", why: "several API and worker processes, each with its own pool" },
    { name: "jit", value: "off", why: "our statements take microseconds; compiling one takes milliseconds" },
    {
      name: "random_page_cost",
      value: "1.1",
      why: "solid-state disks and cached pages: an index is nearly always right",
    },
    { name: "work_mem", value: "16MB", why: "the sorts and hashes of lists and reports stay in memory" },
    { name: "maintenance_work_mem", value: "128MB", why: "building an index on a million rows sorts in memory" },
    {
      name: "max_parallel_workers_per_gather",
      value: "0",
      why: "one report must not take the processors that calls need",
    },
    {
      name: "autovacuum_naptime",
      value: "15s",
      why: "queue and lease rows die quickly: vacuum them while they are few",
    },
    {
      name: "autovacuum_vacuum_insert_threshold",
      value: "100000",
      why: "tables that only grow are vacuumed to mark their pages, which needs no hurry; at 1,000 rows it took a tenth of a core in a young database under load",
    },
    {
      name: "default_statistics_target",
      value: "20",
      why: "our statements follow their indexes; a sample of 6,000 rows tells enough, and is taken again and again from tables that grow",
    },
    { name: "log_min_messages", value: "warning", why: "the log file stays short" },
    { name: "log_line_prefix", value: "%m [%p] ", why: "time and process are enough" },
    { name: "log_timezone", value: "UTC", why: "one time zone in all logs" },
    { name: "timezone", value: "UTC", why: "times mean the same on every machine" },
  ];
}

/** {@link serverSettings} as arguments of `postgres`; an override replaces a value or adds a setting. */
export function settingArguments(overrides: Readonly<Record<string, string>> = {}): string[] {
  const values = new Map(serverSettings().map((setting) => [setting.name, setting.value]));
  for (const [name, value] of Object.entries(overrides)) values.set(name, value);
  return [...values].flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
