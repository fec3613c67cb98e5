import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { endChild, exitOf, freePort, root } from "./programs.ts";

/** A running service with its embedded database. */
export interface Service {
  readonly url: string;
  /** The admin key of `development`. */
  readonly key: string;
  readonly pid: number;
  readonly dataDir: string;
  /** The folder of the database's socket, as `PGHOST` takes it. */
  readonly socketFolder: string;
  /** To arrange and to look, past the service. */
  readonly pool: pg.Pool;
  stop(): Promise<void>;
}

/** The database's user, who owns it; the database has the same name. */
export const databaseUser = "aos";

/** Starts the service as `aos start` does, on an empty data folder, and waits until it is ready. `stop` also removes its data. */
export async function startService(dataDir: string, onEnd: (clean: () => Promise<unknown>) => void): Promise<Service> {
  const port = await freePort();
  const child = spawn("sh", [path.join(root, "bin/aos"), "start"], {
    cwd: root,
    env: { ...process.env, ...serviceEnvironment(dataDir, port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stopping: Promise<void> | undefined;
  let pool: pg.Pool | undefined;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      await pool?.end();
      await endChild(child);
      await removeData(dataDir);
    })();
    return stopping;
  };
  onEnd(stop);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child, () => said);
  const socketFolder = await socketFolderOf(dataDir);
  pool = new pg.Pool({ host: socketFolder, user: databaseUser, database: databaseUser, max: 4 });
  pool.on("error", () => undefined);
  const key = (await readFile(path.join(dataDir, "admin.key"), "utf8")).trim();
  return { url, key, pid: child.pid as number, dataDir, socketFolder, pool, stop };
}

/** The settings that the bench gives; all others are the defaults of a user. */
export function serviceEnvironment(dataDir: string, port: number): Record<string, string> {
  return {
    AOS_DATA_DIR: dataDir,
    AOS_PORT: String(port),
    AOS_RATE_LIMIT: "off",
    AOS_ROLE: "all",
    AOS_LOG: "error",
    DATABASE_URL: "",
    AOS_SECRET_KEY: "",
  };
}

/** Waits until `/readyz` answers 200, looking every `everyMs` milliseconds; fails where the process ends before. */
export async function untilReady(url: string, child: ChildProcess, said: () => string, everyMs = 10): Promise<void> {
  let ended: number | string | undefined;
  void exitOf(child).then((code) => {
    ended = code;
  });
  const limit = Date.now() + 120_000;
  while (!(await ready(url))) {
    if (ended !== undefined) throw new Error(`the service did not start (exit ${ended}): ${said().trim()}`);
    if (Date.now() > limit) throw new Error(`the service was not ready after two minutes: ${said().trim()}`);
    await delay(everyMs);
  }
}

function ready(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    http
      .get(`${url}/readyz`, { agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      })
      .once("error", () => resolve(false));
  });
}

/** Where the database is kept: in the data folder, or where its `.location` file says. */
async function databaseHome(dataDir: string): Promise<string | undefined> {
  const names = await readdir(dataDir).catch(() => []);
  const pointer = names.find((name) => name.endsWith(".location"));
  if (pointer) return (await readFile(path.join(dataDir, pointer), "utf8")).trim();
  const inside = names.find((name) => /^postgres-\d+$/.test(name));
  return inside && path.join(dataDir, inside);
}

/** Line 5 of `postmaster.pid` is the folder of the server's socket. */
async function socketFolderOf(dataDir: string): Promise<string> {
  const lines = await readFile(path.join((await databaseHome(dataDir)) ?? "", "data/postmaster.pid"), "utf8");
  return lines.split("\n")[4] as string;
}

/** Removes a data folder and the database that belongs to it. */
export async function removeData(dataDir: string): Promise<void> {
  const home = await databaseHome(dataDir);
  if (home && !home.startsWith(dataDir)) await rm(path.dirname(home), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
