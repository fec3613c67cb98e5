import { existsSync } from "node:fs";
import path from "node:path";

/** An installed PostgreSQL: its major release and the folder that holds `bin`. */
export interface PostgresPrograms {
  readonly major: string;
  readonly folder: string;
}

/** Where Debian's and Homebrew's packages put a release; undefined where it is not installed. */
export function installedPostgres(major: string): PostgresPrograms | undefined {
  const folders = [
    `/usr/lib/postgresql/${major}`,
    `/opt/homebrew/opt/postgresql@${major}`,
    `/usr/local/opt/postgresql@${major}`,
  ];
  const folder = folders.find((candidate) => existsSync(path.join(candidate, "bin", "initdb")));
  return folder === undefined ? undefined : { major, folder };
}

/** The installed release; throws an Error that says which package brings it. */
export function requirePostgres(major: string): PostgresPrograms {
  const found = installedPostgres(major);
  if (found !== undefined) return found;
  throw new Error(
    `PostgreSQL ${major} is not installed: install the package postgresql-${major} (Debian) or postgresql@${major} (Homebrew).`,
  );
}
