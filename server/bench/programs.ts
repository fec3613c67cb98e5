import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { access } from "node:fs/promises";
import net from "node:net";
import path from "node:path";

/** The repository's root. */
export const root = path.resolve(import.meta.dirname, "../..");

/** Something that the bench needs is not there; the message says what to do. */
export class Missing extends Error {
  override readonly name = "Missing";
}

const debianPostgres = [18, 17, 16, 15].map((major) => `/usr/lib/postgresql/${major}/bin`);

/** The path of a program on PATH, or where Debian keeps PostgreSQL's. Throws {@link Missing} with the remedy. */
export async function findProgram(name: string, remedy: string): Promise<string> {
  for (const folder of [...(process.env.PATH ?? "").split(path.delimiter), ...debianPostgres]) {
    const file = path.join(folder, name);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw new Missing(`${name} is missing: ${remedy}`);
}

/** Runs a program to its end and answers what it printed. Throws with its last lines where it fails. */
export async function run(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const code = await exitOf(child);
  if (code === 0) return out;
  throw new Error(
    `${path.basename(program)} ended with ${code}: ${(err || out).trim().split("\n").slice(-5).join(" | ")}`,
  );
}

/** The exit code of a child, or the signal's name. */
export function exitOf(child: ChildProcess): Promise<number | string> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  if (child.signalCode !== null) return Promise.resolve(child.signalCode);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}

/** Ends a child by SIGTERM and waits; one that does not end within 30 seconds is killed. `group`: with all of its process group, which it must lead. */
export async function endChild(child: ChildProcess, group = false): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(group ? -(child.pid as number) : (child.pid as number), name);
    } catch {
      // It ended between our look and our signal.
    }
  };
  const ended = exitOf(child);
  signal("SIGTERM");
  const patience = setTimeout(() => signal("SIGKILL"), 30_000);
  await ended;
  clearTimeout(patience);
}

/** A TCP port that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resident memory of a process in megabytes (2^20 bytes), by `ps`. */
export async function residentMb(pid: number): Promise<number> {
  return Number((await run("ps", ["-o", "rss=", "-p", String(pid)])).trim()) / 1024;
}
