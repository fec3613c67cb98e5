import { beforeAll, beforeEach, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { createIds } from "../../../kernel/ids.ts";
import { createDownloadPort } from "../../../outbound/download-port.ts";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { findItems } from "../connectors/item-store.ts";
import { createIngestJob } from "../ingest/jobs/ingest.ts";
import { emptyDeletedBase } from "./deletion-store.ts";

// A word that is planted wherever a document can carry it is in no table once the document or its base is deleted.

const app = useApp();
const worker = useWorkerProcess(app);
const word = "quaggamuseum";
const call = async (method: string, path: string, body?: object) => {
  const answer = await app.call(method, `/v1/knowledge/bases${path}`, {
    headers: method === "GET" ? {} : { "idempotency-key": crypto.randomUUID() },
    ...(body && { body }),
  });
  expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300);
  return answer.body;
};
let tables: string[];
let base: string;
let connector: string;
let ids: string[];

async function holding(): Promise<string[]> {
  const found: string[] = [];
  const hex = Buffer.from(word.slice(1)).toString("hex");
  for (const table of tables) {
    const { rowCount } = await app.pool.query(`select from "${table}" t where t::text ~* $1 limit 1`, [
      `quaggamus|${hex}`,
    ]);
    if (rowCount) found.push(table);
  }
  return found.sort();
}

async function sendFile(): Promise<string> {
  const form = new FormData();
  const rows = `id,name\n${word}-1,The ${word}\n,Another ${word}\n`;
  form.append("metadata", JSON.stringify({ about: word }));
  form.append("file", new Blob([rows], { type: "text/csv" }), `${word}.csv`);
  const headers = { authorization: `Bearer ${app.key("admin")}`, "idempotency-key": crypto.randomUUID() };
  const url = `${app.url}/v1/knowledge/bases/${base}/documents`;
  const { document_id } = (await (await fetch(url, { method: "POST", headers, body: form })).json()) as {
    document_id: string;
  };
  const parts = { inside: worker.inside, clock: systemClock, newId: createIds(systemClock) };
  await createIngestJob(
    { ...parts, db: createReader(worker.database.pool) },
    createDownloadPort({ outboundAllow: [] }),
  )({
    ...app.scope,
    document: document_id,
  });
  return document_id;
}

beforeAll(async () => {
  const { rows } = await app.pool.query(
    "select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition",
  );
  tables = rows.map(({ relname }) => relname);
});

let bases = 0;
beforeEach(async () => {
  base = (await call("POST", "", { name: `shelf-${++bases}` })).base_id;
  const feed = { name: "news", kind: "feed", source: { url: "https://example.com/feed.xml" } };
  connector = (await call("POST", `/${base}/connectors`, feed)).connector_id;
  const [sync] = (await call("POST", `/${base}/sync`, {})).syncs;
  const text = { external_id: `${word}-0`, title: word, text: `A ${word}.`, metadata: { about: word } };
  const { document_id: id } = await call("POST", `/${base}/documents`, text);
  await call("PUT", `/${base}/documents/${id}`, { text: `The ${word} has moved.` });
  await call("PATCH", `/${base}/documents/${id}/chunks/1`, { text: `The ${word} is here.` });
  await call("POST", `/${base}/documents/${id}/restore`, { version: 1 });
  const { organization, environment } = app.scope;
  await app.pool.query(
    `insert into knowledge_items (organization, environment, connector, item, fingerprint, detail, document, seen_in)
     values ($1, $2, $3, $4, 'f', $5, $6, '')`,
    [organization, environment, connector, `${word}-0`, JSON.stringify({ links: [word] }), id],
  );
  await app.pool.query("insert into knowledge_sync_failures values ($1, $2, $3, $4, 'c', $4)", [
    organization,
    environment,
    sync.sync_id,
    `${word}-0`,
  ]);
  ids = [id, await sendFile()];
  expect(await holding()).toEqual(
    expect.arrayContaining(["document_files", "documents", "former_chunks", "knowledge_items"]),
  );
});

/** Decision 0051: subscribers are told the external id of what was deleted, and a call can be repeated for 24 hours. */
const named = ["events", "idempotency_keys"];

it("is nowhere after the deletion of its documents, which the next sync does not bring back", async () => {
  for (const id of ids) await call("DELETE", `/${base}/documents/${id}`, {});
  expect((await holding()).filter((table) => !named.includes(table))).toEqual([]);
  const known = await findItems({ scope: app.scope, db: createReader(worker.database.pool) }, connector, [`${word}-0`]);
  expect(known.get(`${word}-0`)).toMatchObject({ item: `${word}-0`, fingerprint: "f", detail: null });
  await call("DELETE", `/${base}`, {});
});

it("is nowhere after the deletion of its base, once that is emptied", async () => {
  await call("DELETE", `/${base}`, {});
  const left = () => app.pool.query("select from deleted_bases where emptied_at is null");
  const db = createReader(worker.database.pool);
  while ((await left()).rowCount !== 0) await emptyDeletedBase(db, new Date());
  expect((await holding()).filter((table) => !named.includes(table))).toEqual([]);
});
