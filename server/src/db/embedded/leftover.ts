import { readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError, type DatabaseLog } from "../database-error.ts";
import { runAs } from "./account.ts";

/** How long a server may take for each way of stopping before the next, harsher one (milliseconds). */
const PATIENCE: readonly { readonly signal: NodeJS.Signals; readonly ms: number }[] = [
  { signal: "SIGINT", ms: 30_000 }, // PostgreSQL's fast shutdown: rolls back, writes a checkpoint
  { signal: "SIGQUIT", ms: 5_000 }, // immediate shutdown: the next start recovers from the log
  { signal: "SIGKILL", ms: 5_000 },
];

/** The process id that a `postmaster.pid` or a socket's lock file begins with; single-user mode writes it negative. */
async function recordedPid(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

/** Linux: every process whose working folder is the data folder, that is the server and all its children, orphans included. */
async function processesIn(data: string): Promise<number[]> {
  const entries = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(entries.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  return entries.filter((_, index) => folders[index] === data).map(Number);
}

/** The processes that use the data folder. Elsewhere than on Linux only the server itself can be told, by its command line. */
async function usersOf(data: string, recorded: number | undefined): Promise<number[]> {
  if (process.platform === "linux") return processesIn(data);
  if (recorded === undefined) return [];
  const { code, output } = await runAs(undefined, "ps", ["-o", "command=", "-p", String(recorded)]);
  return code === 0 && output.includes(data) ? [recorded] : [];
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
      throw new DatabaseError(
        `A PostgreSQL server (process ${pid}) of another user still runs in the data folder: stop it first.`,
        {
          cause: error,
        },
      );
    }
  }
}

/**
 * Stops what still runs in the data folder (a service that was killed leaves a server that is just stopping) and removes what an earlier run
 * left behind: `postmaster.pid`, whose number may meanwhile belong to any other process, and the socket with its lock. Only call this while
 * holding the instance lock.
 */
export async function stopLeftover(data: string, socketFolder: string, log: DatabaseLog): Promise<void> {
  const pidFile = path.join(data, "postmaster.pid");
  const recorded = await recordedPid(pidFile);
  if (recorded !== undefined) {
    const real = await realpath(data);
    await stopUsers(real, recorded, log);
    await rm(pidFile, { force: true });
  }
  await rm(path.join(socketFolder, ".s.PGSQL.5432"), { force: true });
  await rm(path.join(socketFolder, ".s.PGSQL.5432.lock"), { force: true });
}

async function stopUsers(data: string, recorded: number, log: DatabaseLog): Promise<void> {
  let users = await usersOf(data, recorded);
  if (users.length > 0) log.info("The database of an earlier run is still there: stopping it.");
  for (const { signal, ms } of PATIENCE) {
    // The server tells its children; without it they end by themselves, and only the last resort is meant for them too.
    for (const pid of users) if (pid === recorded || signal === "SIGKILL") send(pid, signal);
    for (const end = Date.now() + ms; users.length > 0 && Date.now() < end; users = await usersOf(data, recorded))
      await delay(10);
    if (users.length === 0) return;
  }
  throw new DatabaseError(
    `Process ${users.join(", ")} still uses the database in ${data} and cannot be stopped: end it first.`,
  );
}
