import { cp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { parseVerifierKey, verifyRecordProof } from "@aos/proof";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../src/commands/audit-adopt.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { auditRefOf, type Client, clientOf } from "../client.ts";
import { dataFolder, type ServiceProcess, startService, testSecretKey, until } from "../processes.ts";

let database: TestDatabase;
let [folder, host]: Awaited<ReturnType<typeof dataFolder>>[] = [];
let service: ServiceProcess;
let call: Client;

beforeAll(async () => {
  [database, folder, host] = await Promise.all([testDatabase(), dataFolder(), dataFolder()]);
  service = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "api" });
  call = clientOf(service.url, (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim());
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await database?.close();
  await Promise.all([folder?.remove(), host?.remove()]);
});

/** That it happens counts; how soon depends on what else the machine does. */
const eventually = (what: string, holds: () => Promise<boolean>) => until(what, holds, 60_000);
const keysIn = (dataDir = "") => readFile(path.join(dataDir, "audit.vkey"), "utf8");
const namesIn = async (dataDir = "") =>
  (await keysIn(dataDir))
    .trim()
    .split("\n")
    .map((line) => parseVerifierKey(line).name);

it("audit.vkey knows an adopted log under both names, where the command ran and in the folder of a service that went on running", async () => {
  const old = auditRefOf(await call("GET", "/v1/admin/whoami"));
  const proved = async (ref: string) => (await call("GET", `/v1/audit/events/${ref}/proof`)).status === 200;
  await eventually("the first record has its proof", () => proved(old));
  const before = await namesIn(folder?.dataDir);
  // Another machine that shares the logs' heads. The service renames their files, on which a copy of that moment fails.
  await eventually("the folder is copied", async () => {
    await rm(host?.dataDir ?? "", { recursive: true, force: true });
    return cp(folder?.dataDir ?? "", host?.dataDir ?? "", { recursive: true }).then(
      () => true,
      () => false,
    );
  });
  await database.pool.query(
    "insert into audit_records (organization, environment, id, n, body) values ('default', 'development', 'aud_7zzzzzzzzzforged0000000000', 0, '{}')",
  );
  await eventually(
    "the log is stopped",
    async () => (await call("GET", "/v1/audit/checkpoint")).body.code === "log_stopped",
  );
  const meanwhile = auditRefOf(await call("GET", "/v1/admin/whoami"));

  const env = { DATABASE_URL: database.connectionString, AOS_SECRET_KEY: testSecretKey, AOS_DATA_DIR: host?.dataDir };
  const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  expect(await run(["--reason", "a test forged a row"], { env, stdout: silent(), stderr: silent() })).toBe(0);
  const next = before
    .find((name) => name.endsWith("/default/development"))
    ?.replace("/default/", "/2/default/") as string;
  expect((await namesIn(host?.dataDir)).toSorted()).toEqual([...before, next].toSorted());

  await eventually("the service has heard of the new name", async () =>
    (await namesIn(folder?.dataDir)).includes(next),
  );
  await eventually("what was recorded meanwhile has its proof", () => proved(meanwhile));
  for (const ref of [old, meanwhile]) {
    const { text } = await call("GET", `/v1/audit/events/${ref}/proof`);
    for (const { dataDir } of [folder!, host!]) {
      expect(await verifyRecordProof(text, await keysIn(dataDir))).toMatchObject({
        verified: true,
        record: { id: ref },
      });
    }
  }
}, 300_000);
