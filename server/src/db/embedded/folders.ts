import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseError, type DatabaseLog } from "../database-error.ts";
import { type Account, canEnter, runAs } from "./account.ts";

/** The longest folder of a socket in bytes: `sun_path` is 104 on macOS (108 on Linux), less `/.s.PGSQL.5432` and the closing zero. */
const LONGEST_SOCKET_FOLDER = 89;

/** A folder that PostgreSQL's account can pass through; as root it stays root's, so that the account cannot plant files in it. */
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

/** The folders that hold PostgreSQL's data for this data folder, by major release: inside it, or where a `.location` file points. */
export async function existingHomes(dataDir: string): Promise<Map<number, string>> {
  const homes = new Map<number, string>();
  for (const name of (await readdir(dataDir).catch(() => [])).sort()) {
    const [, major, location] = /^postgres-(\d+)(\.location)?$/.exec(name) ?? [];
    if (major === undefined) continue;
    const file = path.join(dataDir, name);
    homes.set(Number(major), location === undefined ? file : (await readFile(file, "utf8")).trim());
  }
  return homes;
}

/**
 * The folder that holds PostgreSQL's data: `<dataDir>/postgres-<major>`, or, where its account cannot reach that (a closed home folder, started as
 * root), one outside, whose path is then kept in `<dataDir>/postgres-<major>.location`.
 */
export async function chooseHome(
  dataDir: string,
  major: number,
  account: Account | undefined,
  log: DatabaseLog,
): Promise<string> {
  const inside = path.join(dataDir, `postgres-${major}`);
  const homes = await existingHomes(dataDir);
  const known = homes.get(major);
  const [other] = homes.keys();
  if (known === undefined && other !== undefined)
    throw new DatabaseError(
      `The database in ${dataDir} was made by PostgreSQL ${other}, this is ${major}. Start the release that made it, or move the database as docs/operations/upgrade.md says.`,
    );
  if (known !== undefined && known !== inside) {
    if (!existsSync(known) && existsSync(inside)) await moveFolder(inside, known); // a restored backup
    if (existsSync(known)) return known;
    throw new DatabaseError(
      `The database was kept in ${known}, which is gone: restore that folder, or remove ${inside}.location to start with a new database.`,
    );
  }
  await makeHome(inside, account);
  if (await canEnter(account, inside)) return inside;
  const home = await makeOutside(account, `postgres-${major}`);
  log.info(`The account ${account?.name} cannot reach ${dataDir}: the database is kept in ${home}.`);
  await writeFile(`${inside}.location`, `${home}\n`, { mode: 0o644 });
  await rm(home, { recursive: true });
  if (existsSync(path.join(inside, "data"))) await moveFolder(inside, home);
  else await rm(inside, { recursive: true });
  await makeHome(home, account);
  return home;
}

/** Moves a folder with its owners and modes, across file systems too; the target appears whole or not at all. */
async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const unfinished = `${to}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    const { ok, output } = await runAs(undefined, "cp", ["-a", from, unfinished]);
    if (!ok)
      throw new DatabaseError(`The database in ${from} could not be copied to ${to}.`, { cause: new Error(output) });
    await rename(unfinished, to);
    await rm(from, { recursive: true });
  }
}

/** A new folder that the account can reach; under /var/lib where possible, because that survives a restart of the machine. */
async function makeOutside(account: Account | undefined, name: string): Promise<string> {
  for (const parent of ["/var/lib", "/var/tmp", os.tmpdir()]) {
    const folder = await mkdtemp(path.join(parent, "aos-")).catch(() => undefined);
    if (folder === undefined) continue;
    await chmod(folder, 0o711);
    const home = path.join(folder, name);
    await makeHome(home, account);
    if (await canEnter(account, home)) return home;
    await rm(folder, { recursive: true });
  }
  throw new DatabaseError(
    `There is no folder that the account ${account?.name} can use for the database: set AOS_DATA_DIR to one, or start the service as another user.`,
  );
}

/** An empty folder for the socket, private to PostgreSQL's account: `<home>/run`, or one in /tmp where that path is too long for a socket. */
export async function makeSocketFolder(home: string, account: Account | undefined): Promise<string> {
  const inside = path.join(home, "run");
  await rm(inside, { recursive: true, force: true });
  const folder = Buffer.byteLength(inside) <= LONGEST_SOCKET_FOLDER ? inside : await mkdtemp("/tmp/aos-");
  await makePrivate(folder, account);
  return folder;
}
