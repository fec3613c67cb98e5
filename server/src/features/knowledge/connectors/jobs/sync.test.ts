import { mkdirSync, mkdtempSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { createIds } from "../../../../kernel/ids.ts";
import type { RunInside } from "../../../../kernel/machines.ts";
import { createDownloadPort } from "../../../../outbound/download-port.ts";
import { createSourcePort } from "../../../../outbound/source-port.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { createIngestJob } from "../../ingest/jobs/ingest.ts";
import { attach, counts, waiting } from "../connectors.fixture.ts";
import { syncSweep } from "./sweep.ts";
import { createSyncJob } from "./sync.ts";

const allowed = mkdtempSync(path.join(tmpdir(), "aos-job-"));
const app = useApp({ knowledgeFolders: [allowed] });
const process = useWorkerProcess(app);
afterAll(() => rmSync(allowed, { recursive: true, force: true }));

const noDownloads = createDownloadPort({ outboundAllow: [] });
let folders = 0;
/** A connector on a folder with so many files, and its syncs taken apart. */
async function arranged(files: number, connector: object = {}) {
  const folder = path.join(allowed, `${++folders}`);
  mkdirSync(folder);
  const write = (at: number, text = `File ${at}.`): void => writeFileSync(path.join(folder, `${at}.txt`), text);
  for (let at = 0; at < files; at++) write(at);
  const attached = await attach(app, { kind: "folder", source: { path: folder }, ...connector });
  const where = `/v1/knowledge/bases/${attached.base}`;
  const port = createSourcePort({
    credentialKey: await app.credentialKey(),
    outboundAllow: [],
    knowledgeFolders: [allowed],
  });
  const run = (sync: string, inside: RunInside = process.inside): Promise<void> =>
    createSyncJob({ inside, clock: systemClock, db: createReader(process.database.pool) }, port, {
      sizes: { items: 10, stored: 10 },
    })({
      ...app.scope,
      sync,
    });
  return {
    ...attached,
    folder,
    where,
    run,
    write,
    async indexAll() {
      const parts = { inside: process.inside, clock: systemClock, newId: createIds(systemClock) };
      const ingest = createIngestJob({ ...parts, db: createReader(process.database.pool) }, noDownloads);
      for (const document of await waiting(app, attached.base)) await ingest({ ...app.scope, document });
    },
    remove: (at: number) => unlinkSync(path.join(folder, `${at}.txt`)),
    start: async (): Promise<string> => (await app.call("POST", `${where}/sync`, { body: {} })).body.syncs[0].sync_id,
    read: async (sync: string) => (await app.call("GET", `${where}/syncs/${sync}`)).body,
  };
}

const lapse = (sync: string) => app.pool.query("update knowledge_syncs set lease_until = now() where id = $1", [sync]);

it("goes on where a worker was killed, counts nothing twice, and lets the lost worker write nothing more", async () => {
  const { start, run, read, documents, write, remove, indexAll } = await arranged(45);
  const first = await start();
  await run(first);
  for (let at = 0; at < 40; at++) write(at, `File ${at}, changed.`);
  for (const at of [43, 44]) remove(at);
  const sync = await start();
  let calls = 0;
  const killed = Promise.withResolvers<void>();
  const revived = Promise.withResolvers<void>();
  const dying: RunInside = async (operation, scope, input) => {
    if (++calls === 3) {
      killed.resolve();
      await revived.promise;
    }
    return process.inside(operation, scope, input);
  };
  const lost = run(sync, dying);
  await killed.promise;
  expect(await read(sync)).toMatchObject({ state: "running", changed: 20 });
  await run(sync); // the lease is still held
  expect(await read(sync)).toMatchObject({ state: "running", changed: 20 });
  await lapse(sync);
  await run(sync);
  const whole = { state: "completed", added: 0, changed: 40, removed: 2, unchanged: 3, failed: 0 };
  expect(counts(await read(sync))).toEqual(whole);
  revived.resolve();
  await lost;
  expect(counts(await read(sync))).toEqual(whole);
  await indexAll();
  const texts = Object.values(await documents());
  expect([texts.length, texts.filter((text) => text.endsWith("changed.")).length]).toEqual([43, 40]);
});

it("counts what searches do not find yet, and lets a call wait until they do", async () => {
  const { start, run, read, where, indexAll } = await arranged(2);
  const sync = await start();
  await run(sync);
  expect(await read(sync)).toMatchObject({ state: "completed", added: 2, indexing: 2, not_indexed: 0 });
  const waiting = app.call("GET", `${where}/syncs/${sync}`, { headers: { prefer: "wait=30" } });
  await indexAll();
  expect((await waiting).body).toMatchObject({ state: "completed", added: 2, indexing: 0, not_indexed: 0 });
});

it("starts what is due once, however many runs were missed, and plans the next", async () => {
  const { connector, where } = await arranged(1, { schedule: { cron: "*/5 * * * *" } });
  await app.pool.query("update knowledge_connectors set next_run_at = now() - interval '3 days' where id = $1", [
    connector,
  ]);
  const sweeper = process.sweeperWith([syncSweep]);
  await sweeper.sweep();
  await sweeper.sweep();
  const { body } = await app.call("GET", `${where}/syncs`);
  expect(body.data).toMatchObject([{ trigger: "schedule", state: "queued" }]);
  const listed = await app.call("GET", `${where}/connectors`);
  expect(Date.parse(listed.body.data[0].next_run_at)).toBeGreaterThan(Date.now());
});

it("runs less often after three failures in a row, and tells of each sync", async () => {
  const { connector, base, folder, start, run, where } = await arranged(1, { schedule: { cron: "*/5 * * * *" } });
  rmSync(folder, { recursive: true });
  for (let n = 0; n < 3; n++) await run(await start());
  const listed = await app.call("GET", `${where}/connectors`);
  const [shown] = listed.body.data;
  expect(shown).toMatchObject({
    failures_in_a_row: 3,
    last_sync: { state: "failed", error: { code: "folder_not_found" } },
  });
  expect(Date.parse(shown.next_run_at)).toBeGreaterThan(Date.now() + 50 * 60_000);
  const events = async () => {
    const { rows } = await app.pool.query("select type, body from events where body::text like $1 order by id", [
      `%${connector}%`,
    ]);
    return rows.map(({ type, body }) => ({ type, ...(typeof body === "string" ? JSON.parse(body) : body) }));
  };
  expect(await events()).toMatchObject(
    [1, 2, 3].map((failures_in_a_row) => ({ type: "knowledge.sync.failed", base, failures_in_a_row })),
  );
  mkdirSync(folder);
  await run(await start());
  expect((await events()).at(-1)).toMatchObject({ type: "knowledge.sync.completed", removed: 0, failed: 0 });
  expect((await app.call("GET", `${where}/connectors`)).body.data[0].failures_in_a_row).toBe(0);
});

it("gives a sync up that fails forty times in a row for a reason of ours, and not before", async () => {
  const { start, run, read } = await arranged(1);
  const sync = await start();
  const broken: RunInside = () => Promise.reject(new Error("the database went away"));
  for (let n = 0; n < 6; n++) {
    await expect(run(sync, broken)).rejects.toThrow("went away");
    await lapse(sync);
  }
  await process.sweeperWith([syncSweep]).sweep();
  expect(await read(sync)).toMatchObject({ state: "running" });
  await app.pool.query("update knowledge_syncs set faults = 39 where id = $1", [sync]);
  await expect(run(sync, broken)).rejects.toThrow("went away");
  await lapse(sync);
  await process.sweeperWith([syncSweep]).sweep();
  expect(await read(sync)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

it("gives a sync up that makes no progress, though it meets the same unreadable items in each attempt", async () => {
  const { start, run, read, folder } = await arranged(15);
  for (let at = 0; at < 8; at++) truncateSync(path.join(folder, `${at}.txt`), 101 * 1_048_576);
  const sync = await start();
  const broken = (): RunInside => {
    let batches = 0;
    return (operation, scope, input) =>
      ++batches > 1 ? Promise.reject(new Error("cannot be stored")) : process.inside(operation, scope, input);
  };
  for (let n = 0; n < 5; n++) {
    await expect(run(sync, broken())).rejects.toThrow("cannot be stored");
    await lapse(sync);
  }
  const [row] = (await app.pool.query("select faults from knowledge_syncs where id = $1", [sync])).rows;
  await app.pool.query("update knowledge_syncs set faults = 40 where id = $1", [sync]);
  expect(row.faults).toBeGreaterThan(1);
  await process.sweeperWith([syncSweep]).sweep();
  expect(await read(sync)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});
