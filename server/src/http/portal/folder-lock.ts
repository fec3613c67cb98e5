import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The last call of this process under each lock. */
const last = new Map<string, Promise<unknown>>();

/**
 * Does something while nobody else does it under the same lock: a folder that holds the number of the process. Other processes wait, and look every `everyMs`
 * milliseconds; what a process left that was killed does not count. Calls within one process take turns.
 */
export function alone<T>(lock: string, work: () => Promise<T>, everyMs = 100): Promise<T> {
  const before = last.get(lock) ?? Promise.resolve();
  const mine = before.then(() => aloneOfProcesses(lock, work, everyMs));
  const ended = mine
    .catch(() => undefined)
    .then(() => {
      if (last.get(lock) === ended) last.delete(lock);
    });
  last.set(lock, ended);
  return mine;
}

async function aloneOfProcesses<T>(lock: string, work: () => Promise<T>, everyMs: number): Promise<T> {
  await mkdir(path.dirname(lock), { recursive: true });
  while (!(await taken(lock))) {
    const [pid] = await readdir(lock).catch(() => []);
    if (pid === undefined || holds(Number(pid))) await wait(everyMs);
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

const isThere = (error: unknown): boolean =>
  ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Whether the process of a number holds what stands there. With this process's own number it is left over: in a container that starts again the service has the same one. */
function holds(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
