import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "../server/src/db/open.ts";
import { schemaText } from "./checks/database-schema.ts";
import type { Generated } from "./checks/generated.ts";

/** The golden schema, from a database that is started, migrated and thrown away for it. */
export async function generateSchema(): Promise<Generated> {
  const folder = await mkdtemp(path.join(tmpdir(), "aos-schema-"));
  const log = { info: () => undefined, warn: (message: string) => console.error(message) };
  const database = await openDatabase({ databaseUrl: null, dataDir: folder, applicationName: "aos-gen", log });
  try {
    return { file: "server/src/db/schema.sql", text: await schemaText(database.pool) };
  } finally {
    const home = database.embedded?.home;
    await database.close();
    await rm(folder, { recursive: true, force: true });
    // Outside the data folder only where PostgreSQL's account could not reach that: then in a folder made for it.
    if (home !== undefined && !home.startsWith(folder)) await rm(path.dirname(home), { recursive: true, force: true });
  }
}
