import { readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError, type DatabaseLog } from "../database-error.ts";
import { runAs } from "./account.ts";

/**
 * Fast shutdown, then a kill, from which the next start recovers; and how long each may take (milliseconds). A fast shutdown writes all that is in memory: up
 * to 1 GB, half a minute on a disk of 30 MB/s.
 */
const SIGNALS = [
  ["SIGINT", 120_000],
  ["SIGKILL", 5_000],
] as const;

/** The processes that use the data folder: on Linux the server and its children, orphans included, by their working folder; elsewhere the server. */
async function usersOf(data: string, server: number): Promise<number[]> {
  if (process.platform !== "linux") {
    const { ok, output } = await runAs(undefined, "ps", ["-o", "command=", "-p", String(server)]);
    return ok && output.includes(data) ? [server] : [];
  }
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  return pids.filter((_, index) => folders[index] === data).map(Number);
}

/**
 * Stops what an earlier run left in the data folder (a service that was killed leaves a server that is just stopping) and removes its `postmaster.pid`, whose
 * number may meanwhile belong to another process, as it does whenever a container restarts. Only for the holder of the instance lock.
 */
export async function stopLeftover(data: string, log: DatabaseLog): Promise<void> {
  const pidFile = path.join(data, "postmaster.pid");
  const server = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10);
  if (Number.isNaN(server)) return;
  const real = await realpath(data);
  let users = await usersOf(real, server);
  if (users.length > 0) log.info("The database of an earlier run is still there: stopping it.");
  for (const [signal, ms] of SIGNALS) {
    // The server ends its children; those that it left behind end by themselves, or are killed.
    for (const pid of users) if (pid === server || signal === "SIGKILL") send(pid, signal);
    for (const end = Date.now() + ms; users.length > 0 && Date.now() < end; users = await usersOf(real, server))
      await delay(10);
  }
  if (users.length > 0)
    throw new DatabaseError(
      `Process ${users.join(", ")} still uses the database in ${data} and cannot be stopped: end it first.`,
    );
  await rm(pidFile, { force: true });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // just ended, or another user's: the wait tells
  }
}
