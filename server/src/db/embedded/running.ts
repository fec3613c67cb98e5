import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { DATABASE_USER } from "./cluster.ts";
import { existingHomes } from "./folders.ts";

/** Whether an embedded database was ever made for this data folder. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  return (await existingHomes(dataDir)).size > 0;
}

/**
 * The connection string of the embedded database that another process runs for this data folder; undefined where none answers. Its socket's folder
 * stands in `postmaster.pid` (PostgreSQL, `src/include/utils/pidfile.h`: port on line 4, socket folder on line 5).
 */
export async function runningEmbedded(dataDir: string): Promise<string | undefined> {
  for (const home of (await existingHomes(dataDir)).values()) {
    const text = await readFile(path.join(home, "data", "postmaster.pid"), "utf8").catch(() => "");
    const [, , , , folder] = text.split("\n");
    if (!folder) continue;
    const url = socketUrl(folder);
    if (await answers(url)) return url;
  }
  return undefined;
}

/** A connection string as `pg` and libpq understand it: a socket's folder instead of a host. */
export function socketUrl(folder: string, database = DATABASE_USER): string {
  return `postgresql:///${database}?host=${encodeURIComponent(folder)}&port=5432&user=${DATABASE_USER}`;
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
