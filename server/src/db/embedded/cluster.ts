import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { DatabaseError } from "../database-error.ts";
import { type Account, runAs } from "./account.ts";
import { type Installation, program } from "./binaries.ts";
import { makePrivate } from "./folders.ts";

/** The superuser of the embedded server, and the database that the service uses. */
export const DATABASE_USER = "aos";

interface ClusterOptions {
  readonly home: string;
  readonly installation: Installation;
  readonly account: Account | undefined;
  readonly durable: boolean;
  readonly whileStarting: (() => void) | undefined;
}

/** Makes the data folder on the first start: `initdb` into a folder beside it, then a rename, so that a killed start leaves no half-made database. */
export async function ensureCluster(options: ClusterOptions): Promise<{ data: string; firstStart: boolean }> {
  const { home, installation, account, durable } = options;
  const data = path.join(home, "data");
  if (existsSync(path.join(data, "PG_VERSION"))) return { data, firstStart: false };
  const unfinished = path.join(home, "data.unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await makePrivate(unfinished, account);
  const args = initdbArguments(unfinished, installation.major, durable);
  const making = runAs(account, program(installation, "initdb"), args);
  options.whileStarting?.();
  const { ok, output } = await making;
  if (!ok) {
    throw new DatabaseError(`The embedded database could not be made in ${home}: ${lastLine(output)}`, {
      cause: new Error(output),
    });
  }
  await rename(unfinished, data);
  if (durable) {
    await using folder = await open(home, "r");
    await folder.sync(); // the rename
  }
  return { data, firstStart: true };
}

/** Trust is enough: the only way in is a socket in a folder that is closed to other accounts. */
function initdbArguments(folder: string, major: number, durable: boolean): string[] {
  // Code-point order: the same on every machine and release of the C library, so an index never has to be rebuilt after an upgrade.
  const locale = major >= 17 ? ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : ["--locale=C"];
  return [
    "-D",
    folder,
    "-U",
    DATABASE_USER,
    "--auth=trust",
    "--encoding=UTF8",
    "--no-instructions",
    ...locale,
    // A few hundred small files: one call to the file system instead of one per file (Linux, from release 17 on).
    ...(durable ? (major >= 17 && process.platform === "linux" ? ["--sync-method=syncfs"] : []) : ["--no-sync"]),
  ];
}

/** The last line that is not empty: PostgreSQL's programs end with what went wrong. */
export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() || "no message";
}
