import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import { createDownloadPort } from "../../../outbound/download-port.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { createIngestJob } from "../ingest/jobs/ingest.ts";
import { createReindexJob } from "../ingest/jobs/reindex.ts";
import { searchChunks } from "../public.ts";

const app = useApp();
const worker = useWorkerProcess(app);
const where = "/v1/knowledge/bases/notes";
const parts = () => ({
  db: createReader(worker.database.pool),
  inside: worker.inside,
  clock: systemClock,
  newId: createIds(systemClock),
});
const ingest = (document: string) =>
  createIngestJob(parts(), createDownloadPort({ outboundAllow: [] }))({ ...app.scope, document });
let base: string;
const reindexBase = () => createReindexJob(parts())({ ...app.scope, base });
const change = (document: string, chunk: number, body: object) =>
  app.call("PATCH", `${where}/documents/${document}/chunks/${chunk}`, { body });
const chunksOf = async (document: string) =>
  (await app.call("GET", `${where}/documents/${document}/chunks`)).body.data.map(
    ({ text, disabled }: { text: string; disabled: boolean }) => (disabled ? `- ${text}` : text),
  );
const found = async (query: string) =>
  (await searchChunks({ scope: app.scope, db: createReader(app.pool) }, ["notes"], query, 5)).map(({ text }) => text);
const set = (what: string) => app.pool.query(`update knowledge_bases set ${what} where id = $1`, [base]);

const sentences = (...names: string[]) => names.map((name) => `A sentence that is about ${name} alone.`);
const [otters, herons, same] = sentences("otters", "herons", "gulls") as [string, string, string];
const corrected = ["Otters, as corrected.", `- ${herons}`, same, `- ${same}`];

/** A document of four chunks, of which two say the same: the first is corrected, the second and the last are disabled. */
async function changedByHand(): Promise<string> {
  const text = [otters, herons, same, same].join("\n\n");
  const { document_id: id } = (await app.call("POST", `${where}/documents`, { body: { text } })).body;
  await change(id, 1, { text: "Otters, as corrected." });
  for (const chunk of [2, 4]) await change(id, chunk, { disabled: true });
  expect(await chunksOf(id)).toEqual(corrected);
  return id;
}

beforeAll(async () => {
  base = (await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } })).body.base_id;
  await set(`settings = '{"chunk_length": 50}'`);
});

it("keeps what was changed by hand when the document is indexed again, however often, and puts it back when it is undone", async () => {
  const id = await changedByHand();
  for (let times = 0; times < 2; times++) {
    expect((await app.call("POST", `${where}/documents/${id}/reindex`)).status).toBe(202);
    await ingest(id);
    expect(await chunksOf(id)).toEqual(corrected);
  }
  expect([await found("corrected otters"), await found("herons")]).toEqual([["Otters, as corrected."], []]);
  await change(id, 1, { text: otters });
  await change(id, 2, { disabled: false });
  await app.call("POST", `${where}/documents/${id}/reindex`);
  await ingest(id);
  expect(await chunksOf(id)).toEqual([otters, herons, same, `- ${same}`]);
  await app.call("DELETE", `${where}/documents/${id}`, { body: {} });
});

it("keeps it when the base is indexed again, also what is changed while that goes on, and loses it with the chunk that it was made in", async () => {
  const id = await changedByHand();
  await set("next_generation = generation + 1");
  await reindexBase();
  expect(await chunksOf(id)).toEqual(corrected);

  await set("next_generation = generation + 1");
  const [{ next_generation: next }] = (await app.pool.query("select * from knowledge_bases where id = $1", [base]))
    .rows;
  await app.pool.query(
    `insert into chunks (organization, environment, base, document, generation, number, title, text, lexemes, stems, corrected_from, disabled)
     select organization, environment, base, document, $2, number + 1, title, text, lexemes, stems, corrected_from, disabled from chunks where document = $1`,
    [id, next],
  );
  await change(id, 1, { text: "Otters, corrected again.", disabled: true });
  await change(id, 4, { disabled: false });
  const { rows } = await app.pool.query(
    "select number, text, disabled from chunks where document = $1 and generation = $2 order by number",
    [id, next],
  );
  expect(rows).toEqual([
    { number: 2, text: "Otters, corrected again.", disabled: true },
    { number: 3, text: herons, disabled: true },
    { number: 4, text: same, disabled: false },
    { number: 5, text: same, disabled: false },
  ]);

  await set(`next_generation = ${next} + 1, settings = '{"chunk_length": 1200}'`);
  await reindexBase();
  expect(await chunksOf(id)).toEqual([[otters, herons, same, same].join("\n\n")]);
  await app.call("DELETE", `${where}/documents/${id}`, { body: {} });
});

it("keeps it in the chunks that a replacement leaves as they were", async () => {
  await set(`settings = '{"chunk_length": 50}'`);
  const id = await changedByHand();
  const text = ["Something before.", otters, "Something else.", same].join("\n\n");
  await app.call("PUT", `${where}/documents/${id}`, { body: { text } });
  expect((await chunksOf(id)).slice(1)).toEqual(["Otters, as corrected.", "Something else.", same]);
});
