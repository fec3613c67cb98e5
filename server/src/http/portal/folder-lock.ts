import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Does something while no other process does it under the same lock: a folder that holds the number of the process. The others wait, and look every `everyMs`
 * milliseconds; what a process left that was killed does not count. Calls within one process are not told apart.
 */
export async function alone<T>(lock: string, work: () => Promise<T>, everyMs = 100): Promise<T> {
  await mkdir(path.dirname(lock), { recursive: true });
  while (!(await taken(lock))) {
    const [pid] = await readdir(lock).catch(() => []);
    if (pid === undefined || runs(Number(pid))) await wait(everyMs);
    else await release(lock, pid);
  }
  try {
    return await work();
  } finally {
    await release(lock, String(process.pid));
  }
}

/** The lock comes whole, with its number in it: it is made beside and renamed, which fails where there is one that is not empty. */
async function taken(lock: string): Promise<boolean> {
  const mine = `${lock}.${process.pid}`;
  await mkdir(mine, { recursive: true });
  await writeFile(path.join(mine, String(process.pid)), "");
  try {
    await rename(mine, lock);
    return true;
  } catch (error) {
    if (!isThere(error)) throw error;
    return false;
  } finally {
    await rm(mine, { recursive: true, force: true });
  }
}

/** Only what the holder put there goes: between its number and the folder another process may take the lock, which is then its own. */
async function release(lock: string, pid: string): Promise<void> {
  await rm(path.join(lock, pid), { force: true });
  await rmdir(lock).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && !isThere(error)) throw error;
  });
}

const isThere = (error: unknown): boolean => ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "");

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
