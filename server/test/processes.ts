import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { testSecretKey } from "../src/testing/keys.ts";
import { temporaryRoot } from "../src/testing/temporary.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export { testSecretKey };

export interface ServiceOptions {
  /** Undefined: the embedded PostgreSQL, in the data folder. */
  readonly databaseUrl?: string;
  readonly dataDir: string;
  readonly role: "all" | "api" | "worker";
  /** Variables on top of those that every test process gets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A service as users start it: `bin/aos start` in a process of its own. */
export interface ServiceProcess {
  readonly pid: number;
  /** Where its API answers; empty for a worker. */
  readonly url: string;
  /** All that it printed so far. */
  output(): string;
  /** Settles with what ended it: an exit code or a signal's name. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** SIGTERM, and waits until it has drained and gone. */
  stop(): Promise<number | NodeJS.Signals>;
  /** SIGKILL for itself and whatever it started, all at once; waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts a service and waits until it says that it is ready; fails with its output where it ends instead. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn("sh", [path.join(root, "bin/aos"), "start"], {
    env: environmentFor(options, port),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const ready = Promise.withResolvers<void>();
  const hear = (chunk: Buffer): void => {
    printed += chunk.toString();
    if (/ready in [\d.]+ s/.test(printed)) ready.resolve();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? code ?? 0));
  });
  ended.then(
    (how) => ready.reject(new Error(`The service ended (${how}) before it was ready:\n${printed}`)),
    ready.reject,
  );
  await ready.promise;
  return {
    pid: child.pid as number,
    url: options.role === "worker" ? "" : url,
    output: () => printed,
    ended,
    stop: () => signalled(child, "SIGTERM", ended),
    kill: async () => {
      await killAtOnce([child.pid as number]);
      await ended;
    },
  };
}

function signalled(
  child: ChildProcess,
  signal: NodeJS.Signals,
  ended: ServiceProcess["ended"],
): ServiceProcess["ended"] {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  return ended;
}

/** Our own settings only: what the developer's shell says must not decide a test. */
function environmentFor({ databaseUrl, dataDir, role, env }: ServiceOptions, port: number): NodeJS.ProcessEnv {
  const given = Object.entries(process.env).filter(
    ([name]) => !/^(AOS_|DATABASE_URL$|NODE_OPTIONS$|VITEST|FORCE_COLOR$)/.test(name),
  );
  return {
    ...Object.fromEntries(given),
    AOS_DATA_DIR: dataDir,
    AOS_PORT: String(port),
    AOS_ROLE: role,
    AOS_SECRET_KEY: testSecretKey,
    AOS_RATE_LIMIT: "off",
    AOS_LOG: "warn",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...env,
  };
}

/** A port that is free now, outside the range from which systems take the ports of outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const free = await new Promise<boolean>((resolve) => {
      const probe = net.createServer().once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

/** A new folder for a service's data, which may also lie in `.aos` below it, and how to remove it with a database that lies outside it. */
export async function dataFolder(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(temporaryRoot(), "aos-test-service-"));
  const remove = async (): Promise<void> => {
    // As root, PostgreSQL's data may lie where its account can reach it; a `.location` file says where.
    for (const place of [dataDir, path.join(dataDir, ".aos")]) {
      for (const name of await readdir(place).catch(() => [])) {
        if (!name.endsWith(".location")) continue;
        await rm(path.dirname((await readFile(path.join(place, name), "utf8")).trim()), {
          recursive: true,
          force: true,
        });
      }
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  return { dataDir, remove };
}

/** SIGKILL for these processes and everything that they started, as one sweep: nobody gets to react to the end of another. */
export async function killAtOnce(pids: readonly number[]): Promise<void> {
  await signalAtOnce(pids, "SIGKILL");
}

/** A signal for these processes and everything that they started, as one sweep. Answers which it was sent to. */
export async function signalAtOnce(pids: readonly number[], signal: NodeJS.Signals): Promise<number[]> {
  const all = await withDescendants(pids);
  for (const pid of all) signalIfAlive(pid, signal);
  return all;
}

export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function withDescendants(pids: readonly number[]): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of await processTable()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found = [...pids];
  for (const pid of found) found.push(...(children.get(pid) ?? [])); // grows while it is walked
  return found;
}

/** Every process of the machine with its parent. */
async function processTable(): Promise<[pid: number, parent: number][]> {
  if (process.platform !== "linux") {
    const { stdout } = await runProgram("ps", ["-A", "-o", "pid=,ppid="]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  }
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const rows = pids.map(async (pid): Promise<[number, number]> => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    return [Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0)]; // proc(5): state and parent follow the name
  });
  return Promise.all(rows);
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  return { code, ...text };
}

/** Runs the command line as users do. */
export function aos(...args: string[]): ReturnType<typeof runProgram> {
  return runProgram("sh", [path.join(root, "bin/aos"), ...args]);
}

/** Waits for a condition, looked at every few milliseconds; fails after `ms` with what was last seen. Answers how long it took, in milliseconds. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  ms = 20_000,
  seen: () => unknown = () => "",
): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > ms) throw new Error(`Not within ${ms} ms: ${what} ${JSON.stringify(seen())}`);
    await delay(5);
  }
  return performance.now() - began;
}
