import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { DatabaseError } from "../database-error.ts";

/** An account of the operating system. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. Started as root it therefore runs as the owner of the existing data folder, else as `postgres`, else as
 * `nobody`. Undefined: it runs as the account of this process.
 */
export async function databaseAccount(existingData: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(existingData).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { name: String(owner.uid), uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = [await runAs(undefined, "id", ["-u", name]), await runAs(undefined, "id", ["-g", name])];
    if (uid.ok && gid.ok) return { name, uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new DatabaseError(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it as: start the service as another user, or set DATABASE_URL.',
  );
}

/** Runs a program to its end under the given account; `output` is what it wrote to both streams. */
export function runAs(
  account: Account | undefined,
  command: string,
  args: readonly string[],
): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(command, args, spawnIdentity(account), (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + (stderr || (error?.message ?? "")) }),
    );
  });
}

/** Options of `spawn` that give a child its account, a folder that every account may enter, and an environment without the caller's PG* variables. */
export function spawnIdentity(account: Account | undefined) {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C" };
  return { cwd: "/", env, ...(account && { uid: account.uid, gid: account.gid }) };
}

/** Whether the account can run `postgres` at this path. */
export const canRun = async (account: Account | undefined, postgres: string): Promise<boolean> =>
  (await runAs(account, postgres, ["-V"])).ok;

/** Whether the account can pass through this folder. */
export const canEnter = async (account: Account | undefined, folder: string): Promise<boolean> =>
  (await runAs(account, "test", ["-x", folder])).ok;
