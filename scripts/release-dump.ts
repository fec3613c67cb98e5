/**
 * Keeps a small life of a release for the upgrade tests: starts it on a PostgreSQL 15 of its own, uses it as its clients would, and writes a dump of its
 * database, its data folder, and what its clients know into `server/test/upgrade/releases/<commit>`.
 *
 *     npm run release-dump                                   of this tree, under the short name of its commit
 *     npm run release-dump -- --tree <folder> --name 40bda75    of another tree, with its dependencies installed
 *
 * Needs PostgreSQL 15 (Debian's package postgresql-15), so that the dump loads in every supported release.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { startEmbedded } from "../server/src/db/embedded/index.ts";
import { freePort } from "../server/test/processes.ts";
import { type Kept, operationsIn, releasesFolder } from "../server/test/upgrade/kept.ts";
import { live } from "./release-dump/life.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const programs = ["/usr/lib/postgresql/15", "/opt/homebrew/opt/postgresql@15", "/usr/local/opt/postgresql@15"];

/** Starts the release's own `bin/aos start`; resolves when it is ready. */
async function start(tree: string, databaseUrl: string, dataDir: string) {
  const port = await freePort();
  const inherited = Object.entries(process.env).filter(([name]) => !/^(AOS_|DATABASE_URL$|NODE_OPTIONS$)/.test(name));
  const service = spawn("sh", [path.join(tree, "bin/aos"), "start"], {
    env: {
      ...Object.fromEntries(inherited),
      ...{
        AOS_DATA_DIR: dataDir,
        AOS_PORT: String(port),
        AOS_LOG: "warn",
        AOS_STARTERS: "off",
        DATABASE_URL: databaseUrl,
      },
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => service.once("close", resolve));
  const ready = new Promise<void>((resolve, reject) => {
    let printed = "";
    service.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes("ready in")) resolve();
    });
    void ended.then((code) => reject(new Error(`The service ended with ${code}:\n${printed}`)));
  });
  await ready;
  const stop = async (): Promise<void> => {
    service.kill("SIGTERM");
    const code = await ended;
    if (code !== 0) throw new Error(`The service did not stop cleanly, but with ${code}.`);
  };
  return { url: `http://127.0.0.1:${port}`, stop, kill: () => service.kill("SIGKILL") };
}

/** The database as statements that any client can send: no commands of psql. */
async function dump(folder: string, databaseUrl: string): Promise<Buffer> {
  const options = ["--inserts", "--rows-per-insert=500", "--no-owner", "--no-privileges", databaseUrl];
  const { stdout } = await run(path.join(folder, "bin/pg_dump"), options, { maxBuffer: 1 << 28 });
  return brotliCompressSync(stdout.replaceAll(/^\\(un)?restrict .*$/gm, ""), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tree: { type: "string", default: root }, name: { type: "string" } } });
  const { tree } = values;
  const name = values.name ?? (await run("git", ["rev-parse", "--short=8", "HEAD"], { cwd: tree })).stdout.trim();
  const folder = programs.find((one) => existsSync(path.join(one, "bin/pg_dump")));
  if (folder === undefined) throw new Error("PostgreSQL 15 is not installed: install the package postgresql-15.");
  const work = await mkdtemp(path.join(tmpdir(), "aos-rd-"));
  const installation = { folder, major: 15, release: "15" };
  const log = { info: () => undefined, warn: console.error };
  const database = await startEmbedded({ dataDir: path.join(work, "pg"), log, installation });
  try {
    const dataDir = path.join(work, "data");
    const operations = await operationsIn(tree);
    const service = await start(tree, database.connectionString, dataDir);
    let lived: Omit<Kept, "stoppedAt">;
    try {
      lived = await live(service.url, dataDir, new Set(operations.map((one) => one.path)));
    } catch (error) {
      service.kill();
      throw error;
    }
    await service.stop();
    const kept: Kept = { stoppedAt: Date.now(), ...lived };
    const out = path.join(releasesFolder, name);
    await rm(out, { recursive: true, force: true });
    await mkdir(out, { recursive: true });
    const sql = await dump(folder, database.connectionString);
    await writeFile(path.join(out, "dump.sql.br"), sql);
    await writeFile(path.join(out, "kept.json"), `${JSON.stringify(kept, null, 1)}\n`);
    await writeFile(path.join(out, "operations.json"), `${JSON.stringify(operations, null, 1)}\n`);
    await cp(dataDir, path.join(out, "data"), { recursive: true });
    console.log(`${out}: ${kept.carriedOut.length} calls, dump of ${Math.ceil(sql.length / 1000)} kB`);
  } finally {
    await database.stop();
    await rm(work, { recursive: true, force: true });
    if (!database.home.startsWith(work)) await rm(path.dirname(database.home), { recursive: true, force: true });
  }
}

await main();
