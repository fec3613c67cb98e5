import { open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "../database-error.ts";

const SQLITE_BUSY = 5;

/**
 * Takes the data folder for this process, or says who has it; returns what releases it. The lock is an exclusive transaction on an empty SQLite file, that
 * is a lock of the kernel: it ends with the process however that ends, and two starts at once cannot both get it. Node has no other call for one.
 */
export async function takeInstanceLock(dataDir: string): Promise<() => Promise<void>> {
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
  const file = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    file.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    file.close();
    const holder = (await readFile(holderFile, "utf8").catch(() => "")).trim();
    throw new DatabaseError(
      (cause as { errcode?: number }).errcode === SQLITE_BUSY
        ? `The service already runs${holder && ` (process ${holder})`} with the data folder ${dataDir}. Stop it first, or set AOS_DATA_DIR to another folder.`
        : `The data folder ${dataDir} cannot be locked: it must be on a local disk.`,
      { cause },
    );
  }
  await rm(holderFile, { force: true }); // of another user, perhaps
  await writeFile(holderFile, `${process.pid}\n`);
  return async () => {
    if (!file.isOpen) return;
    await rm(holderFile, { force: true });
    file.close();
  };
}
