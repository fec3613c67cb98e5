import { readdir, readFile } from "node:fs/promises";
import type { Service } from "../service.ts";

/** Processor time that something has used so far, in seconds, user and system together. */
export interface ProcessorTime {
  readonly service: number;
  /** All processes of its PostgreSQL. */
  readonly database: number;
}

/** Linux counts these in hundredths of a second (proc_pid_stat(5); USER_HZ is 100 on all platforms that Node runs on). */
const ticksPerSecond = 100;

/** What the service and its database have used so far, ended processes of the database included; null where the system has no `/proc` to tell it. */
export async function processorTime({ pid, pool }: Service): Promise<ProcessorTime | null> {
  const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const [service, backend] = await Promise.all([statOf(pid), statOf(rows[0]?.pid ?? 0)]);
  if (!service || !backend) return null;
  const all = await Promise.all(
    (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map((name) => statOf(Number(name))),
  );
  const family = all.filter(
    (one) => one !== null && (one.pid === backend.parent || one.parent === backend.parent),
  ) as Stat[];
  return {
    service: service.own / ticksPerSecond,
    database:
      family.reduce((sum, one) => sum + one.own + (one.pid === backend.parent ? one.ofEnded : 0), 0) / ticksPerSecond,
  };
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Ticks of its own, all threads. */
  readonly own: number;
  /** Ticks of its children that have ended. */
  readonly ofEnded: number;
}

async function statOf(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // the name before may hold anything; field 3 comes first
  const at = (field: number): number => Number(fields[field - 3]);
  return { pid, parent: at(4), own: at(14) + at(15), ofEnded: at(16) + at(17) };
}
