import { statfsSync } from "node:fs";
import os from "node:os";

/** An eighth of the memory that this process may use (the container's limit, where there is one), from 128 MB to 1 GB. */
function sharedBuffers(): string {
  const limit = process.constrainedMemory();
  const memory = limit > 0 && limit < os.totalmem() ? limit : os.totalmem();
  return `${Math.round(Math.min(1024, Math.max(128, memory / 8 / 1024 / 1024)))}MB`;
}

/** An eighth of what is free on the disk of the data, from 512 MB to 2 GB. */
function mostLog(folder: string): string {
  const { bavail, bsize } = statfsSync(folder);
  return `${Math.round(Math.min(2048, Math.max(512, (bavail * bsize) / 8 / 1024 / 1024)))}MB`;
}

/** Settings of the embedded server that are not PostgreSQL's defaults: for many small durable writes into growing tables, on a machine shared with the service. */
const serverSettings = (folder: string): Record<string, string> => ({
  shared_buffers: sharedBuffers(),
  // Each page's first change after a checkpoint logs all 8 kB of it, and keys spread over an index touch nearly all of its pages: the rarer the checkpoint, the
  // less the rate falls as rows accumulate. The price is disk space, which log files that were once needed keep for a long time, and a longer recovery.
  max_wal_size: mostLog(folder),
  checkpoint_timeout: "30min",
  // Log files are reused in place: none is created and filled during a burst.
  min_wal_size: "512MB",
  // One log file of room for commits that wait for the disk, also with small shared_buffers. Log compression stays off (the default): these binaries are
  // built without lz4 and zstd, and pglz halved the rate right after a checkpoint (pgbench, three rows a transaction).
  wal_buffers: "16MB",
  // Several API and worker processes, each with its own pool.
  max_connections: "200",
  // Our statements take microseconds; compiling one takes milliseconds.
  jit: "off",
  // Solid-state disks and cached pages: an index is nearly always right.
  random_page_cost: "1.1",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  // One report must not take the processors that calls need.
  max_parallel_workers_per_gather: "0",
  // Queue and lease rows die quickly: vacuum them while they are few.
  autovacuum_naptime: "15s",
  // Tables that only grow are vacuumed to mark their pages, which needs no hurry; at 1,000 rows it took a tenth of a core in a young database under load.
  autovacuum_vacuum_insert_threshold: "100000",
  // Our statements follow their indexes; a sample of 6,000 rows tells enough, and is taken again and again from tables that grow.
  default_statistics_target: "20",
  log_timezone: "UTC",
  timezone: "UTC",
});

/** The settings as arguments of `postgres` with data in `folder`, given at every start, so that a new release changes them in an existing data folder too. */
export function settingArguments(folder: string, overrides: Readonly<Record<string, string>>): string[] {
  return Object.entries({ ...serverSettings(folder), ...overrides }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
}
