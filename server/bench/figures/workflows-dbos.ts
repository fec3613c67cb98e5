import { spawn } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Bench } from "../figure.ts";
import { endChild, exitOf, Missing, root, run } from "../programs.ts";
import { databaseUser, type Service } from "../service.ts";

const version = "5.3.0";
const database = "dbos";

/** DBOS in a process of its own, on the same PostgreSQL. */
export interface Dbos {
  /** Seconds from the start of so many workflows, all at once, until each has made its steps. */
  take(workflows: number, steps: number): Promise<number>;
}

/** Installs the package into a folder of the bench and starts it on a database of its own. Throws {@link Missing} where the registry is not to be had. */
export async function startDbos(bench: Bench, { pool, socketFolder }: Service): Promise<Dbos> {
  const folder = await bench.folder("dbos");
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "dbos-bench", private: true }));
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", `@dbos-inc/dbos-sdk@${version}`];
  await run("npm", install, { cwd: folder }).catch((error: Error) => {
    throw new Missing(`@dbos-inc/dbos-sdk could not be installed: ${error.message}`);
  });
  await copyFile(path.join(root, "server/bench/dbos.mjs"), path.join(folder, "dbos.mjs"));
  await pool.query(`create database ${database}`);
  const url = `postgresql://${databaseUser}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;
  const child = spawn(process.execPath, [path.join(folder, "dbos.mjs")], {
    cwd: folder,
    env: { ...process.env, BENCH_DATABASE_URL: url },
    stdio: ["pipe", "pipe", "pipe"],
  });
  bench.onEnd(() => endChild(child));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`DBOS ended (${await exitOf(child)}): ${said.trim()}`);
    return value;
  };
  for (let line = await next(); line !== "ready"; ) line = await next();
  return {
    async take(workflows, steps) {
      child.stdin.write(`${workflows} ${steps}\n`);
      return Number(await next());
    },
  };
}
