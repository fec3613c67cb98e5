import { fileURLToPath } from "node:url";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { type Answered, clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService } from "../processes.ts";
import { type Kept, type KeptCall, readKept, restore } from "./kept.ts";

const clock = fileURLToPath(new URL("clock.ts", import.meta.url));

/** The present service on the restored data of a kept release. */
export interface Upgraded {
  readonly kept: Kept;
  readonly database: TestDatabase;
  readonly service: ServiceProcess;
  call(caller: string, method: string, path: string, body?: unknown): Promise<Answered>;
  /** Repeats a kept call; `spaced`: with another body that says the same. */
  repeat(
    call: KeptCall,
    changed?: { readonly caller?: string; readonly body?: unknown; readonly spaced?: true },
  ): Promise<Answered>;
  /** Rows of a table. */
  count(table: string): Promise<number>;
  close(): Promise<void>;
}

/** Restores a kept release, and starts the present service on it at the moment at which the release stopped. */
export async function upgrade(release: string): Promise<Upgraded> {
  const kept = await readKept(release);
  const [database, folder] = [await testDatabase({ migrated: false }), await dataFolder()];
  await restore(release, database.connectionString, folder.dataDir);
  const service = await startService({
    databaseUrl: database.connectionString,
    dataDir: folder.dataDir,
    role: "all",
    // No AOS_SECRET_KEY: the key lies in the data folder.
    env: { AOS_SECRET_KEY: "", NODE_OPTIONS: `--import ${clock}`, TEST_CLOCK_FROM: String(kept.stoppedAt) },
  });
  const clientFor = (caller: string) => clientOf(service.url, kept.keys[caller] as string);
  return {
    kept,
    database,
    service,
    call: (caller, method, path, body) => clientFor(caller)(method, path, { body }),
    repeat: (call, { caller = call.caller, body = call.body, spaced } = {}) =>
      clientFor(caller)(call.method, call.path, {
        body: JSON.stringify(body) + (spaced ? " " : ""),
        headers: { "content-type": "application/json", "idempotency-key": call.idempotencyKey },
      }),
    count: async (table) => (await database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n as number,
    async close() {
      await service.stop();
      await database.close();
      await folder.remove();
    },
  };
}
