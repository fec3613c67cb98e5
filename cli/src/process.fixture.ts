import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";

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

/** Runs `aos` to its end. */
export const runAos = (
  args: readonly string[],
  env: Record<string, string | undefined>,
  stdin: string | null = null,
  cwd?: string,
): Promise<Ran> => startAos(args, env, stdin, cwd).ended;

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
