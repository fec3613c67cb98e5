import { statfsSync } from "node:fs";
import os from "node:os";

const enough = 4 * 2 ** 30;

/** Where databases of tests stand: in memory where Linux has room for it, because copying a database is creating 700 files. TMPDIR says another place. */
export function temporaryRoot(): string {
  if (process.env.TMPDIR || process.platform !== "linux" || os.freemem() < enough) return os.tmpdir();
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= enough ? "/dev/shm" : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}
