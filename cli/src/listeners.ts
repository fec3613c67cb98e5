import { rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { configFolder } from "./credentials.ts";
import { membersOf } from "./json.ts";
import type { Terminal } from "./terminal.ts";

/** A running `aos webhooks listen`, so that `aos trigger` finds the program that it serves. */
export interface Listener {
  readonly pid: number;
  readonly forward_to: string;
  readonly format: string;
}

const fileOf = (env: Terminal["env"], profile: string): string =>
  path.join(configFolder(env), `listening-${profile}.json`);

/** Says that this process listens for a profile, until it ends. */
export async function announce(env: Terminal["env"], profile: string, listener: Listener): Promise<void> {
  const file = fileOf(env, profile);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(listener)}\n`, { mode: 0o600 });
  process.once("exit", () => rmSync(file, { force: true }));
}

/** Who listens for a profile; undefined where nobody does. */
export async function findListener(env: Terminal["env"], profile: string): Promise<Listener | undefined> {
  try {
    const { pid, forward_to, format } = membersOf(await readFile(fileOf(env, profile), "utf8"));
    if (typeof pid !== "number") return undefined;
    process.kill(pid, 0); // throws where there is no such process
    return { pid, forward_to: String(forward_to), format: String(format) };
  } catch {
    return undefined;
  }
}
