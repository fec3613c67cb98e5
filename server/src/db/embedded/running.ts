import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { DATABASE_USER } from "./cluster.ts";

/** The folders that hold PostgreSQL's data for this data folder: inside it, or where a `.location` file points. Empty: never started. */
async function homesOf(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => []);
  const homes = names.map(async (name) => {
    if (/^postgres-\d+\.location$/.test(name)) return (await readFile(path.join(dataDir, name), "utf8")).trim();
    return /^postgres-\d+$/.test(name) ? path.join(dataDir, name) : "";
  });
  return (await Promise.all(homes)).filter((home) => home !== "");
}

/** Whether an embedded database was ever made for this data folder. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  return (await homesOf(dataDir)).length > 0;
}

/**
 * The connection string of the embedded database that another process runs for this data folder; undefined where none answers. Its socket's folder
 * stands in `postmaster.pid` (PostgreSQL, `src/include/utils/pidfile.h`: port on line 4, socket folder on line 5).
 */
export async function runningEmbedded(dataDir: string): Promise<string | undefined> {
  for (const home of await homesOf(dataDir)) {
    const text = await readFile(path.join(home, "data", "postmaster.pid"), "utf8").catch(() => "");
    const [, , , port, folder] = text.split("\n");
    if (!port || !folder) continue;
    const url = `postgresql:///${DATABASE_USER}?host=${encodeURIComponent(folder)}&port=${port}&user=${DATABASE_USER}`;
    if (await answers(url)) return url;
  }
  return undefined;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false; // what a killed service left behind
  } finally {
    await client.end().catch(() => undefined);
  }
}
