import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { createIds } from "../../../../kernel/ids.ts";
import type { Statements } from "../../../../kernel/machines.ts";
import { createDownloadPort } from "../../../../outbound/download-port.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { createIngestJob } from "./ingest.ts";
import { createReindexJob, reindexSweep } from "./reindex.ts";

const app = useApp();
const process = useWorkerProcess(app);
const sound = (): Statements => createReader(process.database.pool);
const parts = (db = sound()) => ({ db, inside: process.inside, clock: systemClock, newId: createIds(systemClock) });
let base: string;
const work = (db?: Statements) => createReindexJob(parts(db))({ ...app.scope, base });
const baseRow = async () => (await app.pool.query("select * from knowledge_bases where id = $1", [base])).rows[0];
const chunks = async () =>
  (
    await app.pool.query(
      "select generation, count(*)::int as n, count(distinct document)::int as documents from chunks where base = $1 group by 1 order by 1",
      [base],
    )
  ).rows;
const change = (set: string) => app.pool.query(`update knowledge_bases set ${set} where id = $1`, [base]);
/** Statements that fail at the n-th that contains a text, and may do something before. */
const failingAt = (text: string, nth: number, before: () => Promise<unknown> = async () => undefined): Statements => {
  let seen = 0;
  return {
    query: async (statement, values) => {
      if (!statement.includes(text) || ++seen !== nth) return sound().query(statement, values);
      await before();
      throw new Error("the connection broke");
    },
  };
};

beforeAll(async () => {
  base = (await app.call("POST", "/v1/knowledge/bases", { body: { name: "large" } })).body.base_id;
  const documents = Array.from({ length: 120 }, (_, at) => ({
    external_id: `d${at}`,
    text: `Sentence one of document ${at}. Sentence two of document ${at}.`,
  }));
  await app.call("POST", `/v1/knowledge/bases/${base}/documents/bulk`, { body: { documents } });
});

it("builds the next generation, serves the former one until it is complete, and goes on where a killed worker stood", async () => {
  await change(`next_generation = 2, next_language = 'simple', settings = '{"chunk_length": 32}'`);
  await expect(work(failingAt('"d"."id" >', 2))).rejects.toThrow("broke");
  expect(await baseRow()).toMatchObject({ generation: 1, next_generation: 2, reindex_done: 50, reindex_total: 120 });
  expect(await chunks()).toMatchObject([
    { generation: 1, n: 120 },
    { generation: 2, documents: 50 },
  ]);

  // A file that is indexed meanwhile is in both.
  const form = new FormData();
  form.append("file", new Blob(["A new file."], { type: "text/plain" }), "new.txt");
  const headers = { authorization: `Bearer ${app.key("admin")}` };
  const response = await fetch(`${app.url}/v1/knowledge/bases/${base}/documents`, {
    method: "POST",
    headers,
    body: form,
  });
  const { document_id } = (await response.json()) as { document_id: string };
  await createIngestJob(parts(), createDownloadPort({ outboundAllow: [] }))({ ...app.scope, document: document_id });

  await change("reindex_lease = now()");
  await process.sweeperWith([reindexSweep]).sweep();
  await work();
  expect(await baseRow()).toMatchObject({
    generation: 2,
    next_generation: null,
    language: "simple",
    next_language: null,
    reindex_lease: null,
    reindex_done: 121,
  });
  expect(await chunks()).toEqual([{ generation: 2, n: 241, documents: 121 }]);
  const { rows } = await app.pool.query(
    "select count(*)::int as n from former_chunks where base = $1 and generation = 1",
    [base],
  );
  expect(rows).toEqual([{ n: 121 }]);
});

it("begins again where the base is to have another generation meanwhile", async () => {
  await change("next_generation = 3");
  await expect(work(failingAt('"d"."id" >', 2, () => change("next_generation = 4")))).rejects.toThrow("broke");
  await change("reindex_lease = now()");
  await work();
  expect(await baseRow()).toMatchObject({ generation: 4, next_generation: null, reindex_lease: null });
  expect(await chunks()).toEqual([{ generation: 4, n: 241, documents: 121 }]);
});

it("gives up after thirty attempts without progress, says so on the base, and begins again when it is asked to", async () => {
  await change("next_generation = 5");
  for (let attempt = 1; attempt <= 5; attempt++) {
    await expect(work(failingAt('"d"."id" >', 1))).rejects.toThrow("broke");
    await change("reindex_lease = now()");
  }
  expect(await baseRow()).toMatchObject({ reindex_tries: 5 });
  await change("reindex_tries = 29");
  await expect(work(failingAt('"d"."id" >', 1))).rejects.toThrow("broke");
  await process.sweeperWith([reindexSweep]).sweep();
  await work();
  expect(await baseRow()).toMatchObject({ generation: 4, next_generation: 5, reindex_tries: 30 });
  const { health } = (await app.call("GET", `/v1/knowledge/bases/${base}`)).body;
  expect(health).toMatchObject({ state: "degraded", reindexing: false, reindex_error: { code: "gave_up" } });

  const again = await app.call("PATCH", `/v1/knowledge/bases/${base}`, { body: { reindex: true } });
  expect(again.body).toMatchObject({ reindex: "queued", health: { reindexing: true, reindex_error: null } });
  await work();
  expect(await baseRow()).toMatchObject({ generation: 6, next_generation: null, reindex_tries: 0 });
  expect(await chunks()).toEqual([{ generation: 6, n: 241, documents: 121 }]);
});
