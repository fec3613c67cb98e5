import { open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";

const SQLITE_BUSY = 5;

/** Milliseconds between two looks at a lock that another process has. */
const lookEvery = 50;

export interface LockWait {
  /** How long another process may still take to end (milliseconds). */
  readonly waitMs: number;
  /** Called once, with a sentence for the log, when it begins to wait. */
  readonly onWait: (text: string) => void;
}

/**
 * Takes the data folder for this process, or says who has it; returns what releases it. The lock is an exclusive transaction on an empty SQLite file, that
 * is a lock of the kernel: it ends with the process however that ends, and two starts at once cannot both get it. Node has no other call for one. A process
 * that was asked to stop or was killed a moment ago still has it for as long as it takes to end.
 */
export async function takeInstanceLock(dataDir: string, { waitMs, onWait }: LockWait): Promise<() => Promise<void>> {
  const holderFile = path.join(dataDir, "instance.pid");
  const lockFile = path.join(dataDir, "instance.lock");
  try {
    await (await open(lockFile, "a", 0o600)).close(); // SQLite would open a file that is closed to us for reading only, and lock that
  } catch (cause) {
    throw new DatabaseError(
      `The data folder ${dataDir} is not writable for this user: start the service as the user that made it, or set AOS_DATA_DIR.`,
      { cause },
    );
  }
  const until = performance.now() + waitMs;
  for (let isTold = false; ; isTold = true) {
    const taken = lock(lockFile);
    if ("file" in taken) return held(taken.file, holderFile);
    const { cause } = taken;
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY)
      throw new DatabaseError(`The data folder ${dataDir} cannot be locked: it must be on a local disk.`, { cause });
    const holder = (await readFile(holderFile, "utf8").catch(() => "")).trim();
    const by = holder && ` (process ${holder})`;
    if (performance.now() >= until)
      throw new DatabaseError(
        `The service already runs${by} with the data folder ${dataDir}. Stop it first, or set AOS_DATA_DIR to another folder.`,
        { cause },
      );
    if (!isTold)
      onWait(`another service${by} is using the data folder; waiting up to ${waitMs / 1000} seconds for it to end`);
    await delay(lookEvery);
  }
}

function lock(lockFile: string): { readonly file: DatabaseSync } | { readonly cause: unknown } {
  const file = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return { file };
  } catch (cause) {
    file.close();
    return { cause };
  }
}

async function held(file: DatabaseSync, holderFile: string): Promise<() => Promise<void>> {
  await rm(holderFile, { force: true }); // of another user, perhaps
  await writeFile(holderFile, `${process.pid}\n`);
  return async () => {
    if (!file.isOpen) return;
    await rm(holderFile, { force: true });
    file.close();
  };
}
