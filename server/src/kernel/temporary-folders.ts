import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "./clock.ts";

// Folders in the system's temporary folder, which name host and process: a process that starts removes what a killed one left.

const host = hostname().replace(/[^A-Za-z0-9.]/g, "_");
const named = /^aos-(?:upload|ingest|mail)-(.*)-(\d+)-[^-]+$/;
const mostHours = 24;

/** Makes a folder, which whoever made it removes. */
export const makeTemporaryFolder = (purpose: "upload" | "ingest" | "mail", parent = tmpdir()): Promise<string> =>
  mkdtemp(path.join(parent, `aos-${purpose}-${host}-${process.pid}-`));

/**
 * Removes folders of processes of this host that have ended, and those older than a day; for a process that starts and has made none yet. Processes of another host,
 * such as of a container beside this one, cannot be looked up.
 */
export async function sweepTemporaryFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, its, pid] = named.exec(name) ?? [];
    if (pid === undefined) continue;
    const folder = path.join(parent, name);
    const left = (its === host && !isOther(Number(pid))) || (await isOld(folder));
    if (left) await rm(folder, { recursive: true, force: true }).catch(() => undefined); // of another user
  }
}

/** Whether a process of this id runs that is not this one. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const isOld = (folder: string): Promise<boolean> =>
  stat(folder).then(
    ({ mtimeMs }) => systemClock.now() - mtimeMs > mostHours * 3_600_000,
    () => false,
  );
