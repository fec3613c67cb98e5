import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { formatVerifierKey } from "@aos/proof";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendRecords, sampleRecord } from "../../src/audit-log/testing.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { trustedKey, untilLogged } from "../audit.ts";
import { type Client, clientOf } from "../client.ts";
import { aos, dataFolder, type ServiceProcess, startService, until } from "../processes.ts";

const records = 15_000;
const development = { organization: "default", environment: "development" } as const;

describe("an export of the audit log whose worker is killed", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let api: ServiceProcess;
  let worker: ServiceProcess;
  let call: Client;
  let secret: string;

  const startWorker = (): Promise<ServiceProcess> =>
    startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "worker" });

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    api = await startService({ databaseUrl: database.connectionString, dataDir: folder.dataDir, role: "api" });
    secret = (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim();
    call = clientOf(api.url, secret);
    for (let done = 0; done < records; done += 5_000) {
      await appendRecords(
        database.pool,
        Array.from({ length: 5_000 }, () => sampleRecord(development)),
      );
    }
    await untilLogged(database.pool);
    worker = await startWorker();
  }, 120_000);
  afterAll(async () => {
    await Promise.all([worker?.stop(), api?.stop()]);
    await database?.close();
    await folder?.remove();
  });

  const start = async (): Promise<string> =>
    (await call("POST", "/v1/audit/exports", { body: { format: "jsonl", filter: { action: "agents.dispatchTask" } } }))
      .body.export_id;
  const read = async (id: string) => (await call("GET", `/v1/audit/exports/${id}`)).body;
  const completed = (id: string) =>
    until(
      "the export is completed",
      async () => (await read(id)).state === "completed",
      60_000,
      () => id,
    );
  const partsOf = async (id: string): Promise<number> =>
    (await database.pool.query("select count(*)::int as n from audit_export_parts where export_id = $1", [id])).rows[0]
      .n;

  it("is written again by the next worker, to the same bytes, and verifies by the command line", {
    timeout: 180_000,
  }, async () => {
    const killed = await start();
    await until(
      "some of the file is written",
      async () => (await partsOf(killed)) > 2,
      60_000,
      () => killed,
    );
    await worker.kill();
    expect(await read(killed)).toMatchObject({ state: "running", digest: null });
    worker = await startWorker();
    await database.pool.query("update audit_exports set lease_until = now() where id = $1", [killed]); // a minute passes
    await completed(killed);
    const whole = await start();
    await completed(whole);
    const [again, once] = [await read(killed), await read(whole)];
    expect([again.rows, again.digest]).toEqual([records, once.digest]);
    const attempts = await database.pool.query("select id, attempt from audit_exports order by id");
    expect(attempts.rows).toEqual([
      { id: killed, attempt: 2 },
      { id: whole, attempt: 1 },
    ]);

    const [file, manifest] = [path.join(folder.dataDir, "export.jsonl"), path.join(folder.dataDir, "export.json")];
    const headers = { authorization: `Bearer ${secret}`, accept: "application/x-ndjson" };
    const answered = await fetch(`${api.url}/v1/audit/exports/${killed}`, { headers });
    await writeFile(file, Buffer.from(await answered.arrayBuffer()));
    await writeFile(manifest, JSON.stringify(again));
    const key = formatVerifierKey(await trustedKey(database.pool));
    const verified = await aos("audit", "verify", file, "--manifest", manifest, "--key", key);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
    expect(verified.stdout).toMatch(/^Verified\. Export exp_/);
  });
});
