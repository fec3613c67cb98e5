import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { DatabaseError } from "../database-error.ts";

/** An account of the operating system. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. Started as root it therefore runs as the owner of the existing data folder, else as `postgres`,
 * else as `nobody`. Started as anybody else it runs as that account: the answer is then undefined.
 */
export async function databaseAccount(existingData: string | undefined): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parseAccounts(await readFile("/etc/passwd", "utf8"));
  const owner = existingData === undefined ? undefined : await stat(existingData).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    const name = accounts.find((account) => account.uid === owner.uid)?.name ?? String(owner.uid);
    return { name, uid: owner.uid, gid: owner.gid };
  }
  for (const name of ["postgres", "nobody"]) {
    const found = accounts.find((account) => account.name === name && account.uid !== 0);
    if (found !== undefined) return found;
  }
  throw new DatabaseError(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it as: start the service as another user, or set DATABASE_URL.',
  );
}

/** The accounts of a file in the form of passwd(5). */
export function parseAccounts(passwd: string): readonly Account[] {
  return passwd
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 7 && /^-?\d+$/.test(fields[2] ?? "") && /^-?\d+$/.test(fields[3] ?? ""))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/** What a finished child process left: its exit code (a signal counts as 128) and what it wrote. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end under the given account, with a bare environment, from `/` (which every account may enter). */
export function runAs(account: Account | undefined, command: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnIdentity(account), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 128, output }));
  });
}

/** Options of `spawn` that give a child its account, its folder and an environment without the caller's PG* variables. */
export function spawnIdentity(account: Account | undefined): {
  cwd: string;
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
} {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C" };
  return account === undefined ? { cwd: "/", env } : { cwd: "/", env, uid: account.uid, gid: account.gid };
}

/** Whether the account can run `postgres` at this path. */
export async function canRun(account: Account | undefined, postgres: string): Promise<boolean> {
  return (await runAs(account, postgres, ["-V"])).code === 0;
}

/** Whether the account can pass through this folder to what lies in it. */
export async function canEnter(account: Account | undefined, folder: string): Promise<boolean> {
  return (await runAs(account, "/bin/sh", ["-c", 'cd -- "$1"', "sh", folder])).code === 0;
}
