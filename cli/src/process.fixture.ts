import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { run } from "./program.ts";
import type { Terminal } from "./terminal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a run of the command line left. */
export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** What stands on standard output so far, and on standard error. */
  readonly out: () => string;
  readonly err: () => string;
}

/** Starts `aos` as a process of its own, with nothing of the tests' own environment but the path. */
export function startAos(
  args: readonly string[],
  env: Record<string, string | undefined>,
  stdin: string | null = null,
  cwd = tmpdir(),
): Running {
  const { PATH } = process.env;
  const child = spawn("sh", [`${root}/bin/aos`, ...args], {
    cwd,
    env: { PATH, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const written = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written.err += text));
  child.stdin.on("error", () => undefined); // who does not read its input
  child.stdin.end(stdin ?? "");
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...written }));
  });
  return { child, ended, out: () => written.out, err: () => written.err };
}

/** Without a key: the data folder of whoever runs the tests may have one. */
const noDataFolder = path.join(tmpdir(), "aos-no-data");

/** Runs `aos` to its end in this process; with `cwd`, as a process of its own. */
export async function runAos(
  args: readonly string[],
  env: Record<string, string | undefined>,
  stdin: string | null = null,
  cwd?: string,
): Promise<Ran> {
  if (cwd !== undefined) return startAos(args, env, stdin, cwd).ended;
  const written = { out: "", err: "" };
  const status = await run(args, {
    stdin: Readable.from([Buffer.from(stdin ?? "")]),
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    env: { PATH: process.env.PATH, AOS_DATA_DIR: noDataFolder, ...env },
    isTTY: false,
  });
  return { status, ...written };
}

/** A folder for the tests of a file, away at their end. */
export function useFolder(): { readonly path: string } {
  const folder = { path: "" };
  beforeAll(async () => {
    folder.path = await mkdtemp(path.join(tmpdir(), "aos-cli-"));
  });
  afterAll(async () => {
    await rm(folder.path, { recursive: true, force: true });
  });
  return folder;
}

/** A command in this process, on a terminal of the test's. */
export const inProcess =
  (words: string) =>
  (args: readonly string[], terminal: Partial<Terminal> & Omit<Terminal, "stdin">): Promise<number> =>
    run([...words.split(" "), ...args], { stdin: process.stdin, ...terminal });
