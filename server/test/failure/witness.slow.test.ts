import { cp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { openCheckpoint, openCosignature, parseCosignerKey, parseVerifierKey } from "@aos/proof";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { databaseUrl } from "../../src/testing/vitest-setup.ts";
import { startTestWitness, type TestWitness } from "../../src/testing/witness.ts";
import { addPeople, type Person } from "../arrange.ts";
import { type Client, clientOf, dispatchPath, givenBody } from "../client.ts";
import { dataFolder, freePort, type ServiceProcess, startService, until } from "../processes.ts";

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let witness: TestWitness;
let service: ServiceProcess;
let admin: Person;
let metrics = "";
const client: Client = (...call) => clientOf(service.url, admin.secret)(...call);
const name = (): string => new URL(database.connectionString).pathname.slice(1);
const backup = (): string => `${name()}_backup`;
const backupFolder = (): string => `${folder.dataDir}-backup`;

async function start(): Promise<void> {
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  const env = {
    AOS_AUDIT_WITNESSES: `${witness.vkey}@${witness.url}`,
    AOS_METRICS_PORT: String(port),
    AOS_LOG: "warn",
  };
  service = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "all", env });
}

/** Makes a database from another, whose connections it ends, in place of what had its name. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const server = new pg.Client({ connectionString: databaseUrl(database.connectionString, "template1") });
  await server.connect();
  try {
    await server.query(`drop database if exists ${to} with (force)`);
    await server.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [from]);
    await server.query(`create database ${to} template ${from} strategy file_copy`);
  } finally {
    await server.end();
  }
}

const dispatch = async (times: number): Promise<void> => {
  for (let i = 0; i < times; i++) expect((await client("POST", dispatchPath, { body: givenBody })).status).toBe(202);
};
const logKey = async () => {
  const lines = (await readFile(path.join(folder.dataDir, "audit.vkey"), "utf8")).trim().split("\n");
  for (const line of lines) witness.trust(line);
  return parseVerifierKey(lines.find((line) => line.includes("/development+")) as string);
};
/** The size of the served checkpoint, once the witness has cosigned one of at least that many records. */
async function cosignedSize(least = 1): Promise<number> {
  let size = 0;
  const key = await logKey();
  await until(`a checkpoint of ${least} records is served with a cosignature`, async () => {
    const { text } = await client("GET", "/v1/audit/checkpoint");
    const cosigned = await openCosignature(text, parseCosignerKey(witness.vkey)).catch(() => null);
    if (cosigned) size = (await openCheckpoint(text, key)).size;
    return size >= least;
  });
  return size;
}

beforeAll(async () => {
  [database, folder, witness] = await Promise.all([testDatabase({ max: 2 }), dataFolder(), startTestWitness()]);
  await start();
  [admin] = (await addPeople(database.pool, 1, "admin")) as [Person];
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await witness?.close();
  await database?.pool.query(`drop database if exists ${backup()} with (force)`);
  await database?.close();
  await rm(backupFolder(), { recursive: true, force: true });
  await folder?.remove();
});

it("refuses a log whose database and data folder were both set back, and the service says so, serves no proof, and records calls", async () => {
  await dispatch(2);
  const early = await cosignedSize();
  await service.stop();
  await copyDatabase(name(), backup());
  await cp(folder.dataDir, backupFolder(), { recursive: true });

  await start();
  await dispatch(20);
  const late = await cosignedSize(early + 20);
  await service.stop();
  await copyDatabase(backup(), name());
  await rm(folder.dataDir, { recursive: true });
  await cp(backupFolder(), folder.dataDir, { recursive: true });

  await start();
  await until("the service says that the witness refuses", () =>
    /refuses the newest head \(rollback\): it cosigned a head of/.test(service.output()),
  );
  const exposed = await (await fetch(metrics)).text();
  expect(exposed).toMatch(/^aos_audit_witness_refuses\{.*environment="development".*\} 1$/m);
  await dispatch(1);
  expect(witness.sizeOf((await logKey()).name)).toBeGreaterThanOrEqual(late);
  const stopped = await client("GET", "/v1/audit/checkpoint");
  expect(stopped).toMatchObject({
    status: 503,
    body: { code: "log_stopped", detail: expect.stringContaining("refuses the newest one") },
  });
}, 90_000);
