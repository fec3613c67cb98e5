import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseError, type DatabaseLog } from "../database-error.ts";
import { type Account, canEnter, runAs } from "./account.ts";

/**
 * The longest path of a Unix socket in bytes: `sun_path` holds 108 on Linux and 104 on macOS, one of them the closing zero.
 */
const LONGEST_SOCKET_PATH = process.platform === "linux" ? 107 : 103;

/** Whether PostgreSQL's socket fits into this folder: it is named `.s.PGSQL.<port>`. */
export function socketFits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH;
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** A folder of ours that PostgreSQL's account can pass through; as root it stays root's, so that the account cannot plant files in it. */
async function makeHome(home: string, account: Account | undefined): Promise<void> {
  const mode = account === undefined ? 0o700 : 0o711;
  await mkdir(home, { recursive: true, mode });
  await chmod(home, mode);
}

/** A folder that belongs to PostgreSQL's account alone. */
export async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
}

/**
 * Refuses to begin anew where only another release of PostgreSQL has data for this data folder: who upgrades the service would find it empty.
 */
export async function refuseOtherMajor(dataDir: string, major: number): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  const majors = names.flatMap((name) => /^postgres-(\d+)(?:\.location)?$/.exec(name)?.[1] ?? []).map(Number);
  const other = majors.find((one) => one !== major);
  if (other === undefined || majors.includes(major)) return;
  throw new DatabaseError(
    `The database in ${dataDir} was made by PostgreSQL ${other}, this is ${major}. Start the release that made it, or move the database as docs/operations/upgrade.md says.`,
  );
}

/**
 * The folder that holds PostgreSQL's data: `<dataDir>/postgres-<major>`, or, where its account cannot reach that (a closed home folder,
 * started as root), one outside, whose path is then kept in `<dataDir>/postgres-<major>.location`.
 */
export async function chooseHome(
  dataDir: string,
  major: number,
  account: Account | undefined,
  log: DatabaseLog,
): Promise<string> {
  const inside = path.join(dataDir, `postgres-${major}`);
  const pointer = `${inside}.location`;
  const outside = (await readFile(pointer, "utf8").catch(() => "")).trim();
  if (outside !== "") {
    if (!(await exists(outside)) && (await exists(inside))) await moveFolder(inside, outside);
    if (await exists(outside)) return outside;
    throw new DatabaseError(
      `The database was kept in ${outside}, which is gone: restore that folder, or remove ${pointer} to begin anew.`,
    );
  }
  const hadData = await exists(path.join(inside, "data"));
  await makeHome(inside, account);
  if (await canEnter(account, inside)) return inside;
  const home = path.join(await makeOutside(account), `postgres-${major}`);
  log.info(`The account ${account?.name} cannot reach ${dataDir}: the database is kept in ${home}.`);
  await writeFile(pointer, `${home}\n`, { mode: 0o644 });
  if (hadData) await moveFolder(inside, home);
  else await rm(inside, { recursive: true });
  await makeHome(home, account);
  return home;
}

/** A new folder that the account can reach; under /var/lib where possible, because that survives a restart of the machine. */
async function makeOutside(account: Account | undefined): Promise<string> {
  for (const parent of ["/var/lib", "/var/tmp", os.tmpdir()]) {
    const folder = await mkdtemp(path.join(parent, "aos-")).catch(() => undefined);
    if (folder === undefined) continue;
    await chmod(folder, 0o711);
    if (await canEnter(account, folder)) return folder;
    await rm(folder, { recursive: true });
  }
  throw new DatabaseError(
    `There is no folder that the account ${account?.name} can use for the database: set AOS_DATA_DIR to one, or start the service as another user.`,
  );
}

/** Moves a folder with its owners and modes, across file systems too; the target appears whole or not at all. */
async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const unfinished = `${to}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    const { code, output } = await runAs(undefined, "cp", ["-a", from, unfinished]);
    if (code !== 0)
      throw new DatabaseError(`The database in ${from} could not be copied to ${to}.`, { cause: new Error(output) });
    await rename(unfinished, to);
    await rm(from, { recursive: true });
  }
}

/**
 * A folder for the socket, private to PostgreSQL's account: `<home>/run`, or, where that path is too long for a socket, one with a short name
 * in the temporary folder, the same at every start.
 */
export async function chooseSocketFolder(home: string, account: Account | undefined): Promise<string> {
  const inside = path.join(home, "run");
  if (socketFits(inside)) {
    await makePrivate(inside, account);
    return inside;
  }
  const name = `aos-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`;
  const uid = account?.uid ?? process.getuid?.();
  for (const parent of [os.tmpdir(), "/tmp"]) {
    const folder = path.join(parent, name);
    if (!socketFits(folder)) continue;
    const found = await lstat(folder).catch(() => undefined);
    if (found !== undefined && !(found.isDirectory() && found.uid === uid)) continue;
    await makePrivate(folder, account).catch(() => undefined);
    if (await canEnter(account, folder)) return folder;
  }
  throw new DatabaseError(
    `The path ${home} is too long for the database's socket, and no shorter folder could be made: set AOS_DATA_DIR to a shorter path.`,
  );
}
