import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { deployedAgent } from "../../../agents/testing.ts";
import { emptyDeletedBase, tablesOfBases, tablesOfDocuments } from "../../documents/deletion-store.ts";

const app = useApp();
const remove = (base: string, query = "") => app.call("DELETE", `/v1/knowledge/bases/${base}${query}`, { body: {} });
const statements = () => ({
  query: async <R>(text: string, values: readonly unknown[] = []) =>
    (await app.pool.query(text, [...values])).rows as R[],
});

const tablesWith = async (column: string): Promise<string[]> => {
  const { rows } = await app.pool.query(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = $1",
    [column],
  );
  return rows.map(({ table_name }) => table_name);
};
const ofConnectors = ["knowledge_connectors", "knowledge_syncs"];
/** By removeGeneration, or by the triggers of the chunks that it removes. */
const ofChunks = ["chunks", "chunk_indexes", "chunk_postings", "chunk_terms", "chunk_vectors", "embedding_queue"];

/** A connector with a sync under way and what it noted, a question, and chunks that wait to be embedded. */
async function holdMore(base: string): Promise<void> {
  const connector = { name: "news", kind: "feed", source: { url: "https://example.com/feed.xml" } };
  const made = await app.call("POST", `/v1/knowledge/bases/${base}/connectors`, { body: connector });
  const [sync] = (await app.call("POST", `/v1/knowledge/bases/${base}/sync`, { body: {} })).body.syncs;
  const { organization, environment } = app.scope;
  const here = [organization, environment];
  await app.pool.query(
    `insert into knowledge_items (organization, environment, connector, item, fingerprint, document, seen_in)
     select $1, $2, $3, 'i' || n, '', 'doc_x', '' from generate_series(1, 6000) n`,
    [...here, made.body.connector_id],
  );
  await app.pool.query("insert into knowledge_sync_failures values ($1, $2, $3, 'i', 'c', 'd')", [
    ...here,
    sync.sync_id,
  ]);
  await app.call("POST", "/v1/knowledge/search", { body: { query: "what is noted", bases: [base] } });
  await app.pool.query(`update knowledge_bases set embedding = '{"connection": "none"}' where id = $1`, [base]);
  const waiting = await app.pool.query("select from embedding_queue where base = $1", [base]);
  expect(waiting.rowCount).toBe(600);
}

it("is refused while a canary uses it", async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "tried" } });
  await deployedAgent(app, "trying", { versions: 2, deploy: [1] });
  const naming = `update agent_versions set definition = jsonb_set(definition, '{knowledge}', '["tried"]') where agent = 'trying' and number = 2`;
  await app.pool.query(naming);
  const canary = { version: 2, mode: "canary" };
  expect((await app.call("POST", "/v1/agents/trying/deployments", { body: canary })).status).toBe(201);
  expect((await remove("tried")).body).toMatchObject({ code: "knowledge_base_in_use", agents: ["trying"] });
});

it("is refused while a deployed agent uses it, unless it is forced", async () => {
  const { status, body } = await remove("playbook");
  expect([status, body.code, body.agents]).toEqual([409, "knowledge_base_in_use", ["sales"]]);
  const forced = await remove("playbook", "?force=true");
  expect(forced.body).toMatchObject({ deleted: true, documents: 10, chunks: 10, agents: ["sales"] });
});

it("takes everything away at once, and removes it in steps", async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } });
  const path = "/v1/knowledge/bases/notes/documents";
  const texts = Array.from({ length: 600 }, (_, at) => ({ external_id: `n-${at}`, text: `Note ${at}.` }));
  await app.call("POST", `${path}/bulk`, { body: { documents: texts } });
  await app.call("PUT", `${path}/n-1`, { body: { text: "Note one." } });
  const { base_id } = (await app.call("GET", "/v1/knowledge/bases/notes")).body;
  const { citation } = (await app.call("GET", `${path}/n-1/chunks`)).body.data[0];
  await holdMore(base_id);
  const { body } = await remove("notes");
  const { rows: stopped } = await app.pool.query("select state, error->>'code' as code from knowledge_syncs");
  expect(stopped).toEqual([{ state: "failed", code: "base_deleted" }]);
  expect(body).toMatchObject({ base_id, name: "notes", documents: 600, chunks: 600 });
  expect((await app.call("GET", `/v1/knowledge/bases/${base_id}`)).status).toBe(404);
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } })).status).toBe(201);
  const cited = () => app.call("GET", `/v1/knowledge/citations/${citation}`);
  expect([(await cited()).status, (await cited()).body.deleted_at]).toEqual([410, body.deleted_at]);

  const emptied = () => app.pool.query("select from deleted_bases where emptied_at is null");
  const steps: number[] = [];
  while ((await emptied()).rowCount !== 0) steps.push(await emptyDeletedBase(statements(), new Date()));
  expect(Math.max(...steps)).toBe(500);
  const tables = await tablesWith("base");
  expect(tables.length).toBeGreaterThan(10);
  for (const table of tables.filter((name) => name !== "deleted_documents"))
    expect((await app.pool.query(`select from ${table} where base = $1`, [base_id])).rowCount, table).toBe(0);
  for (const table of ["knowledge_items", "knowledge_sync_failures"])
    expect((await app.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
  expect((await cited()).status).toBe(410);
  const { rows } = await app.pool.query("select body from events where body like '%knowledge.base.deleted%'");
  expect(rows.map(({ body }) => JSON.parse(body).base)).toEqual(["playbook", "notes"]);
});

it.each([
  // Items are a connector's notes of its source: they keep what was deleted by hand from coming back.
  ["document", [...tablesOfDocuments, "chunks", "knowledge_items"]],
  ["base", [...tablesOfBases, ...ofConnectors, ...ofChunks, "documents", "deleted_documents", "base_embeddings"]],
])("knows every table that holds something of a %s", async (column, known: readonly string[]) => {
  const unknown = (await tablesWith(column)).filter((name) => !known.includes(name));
  expect(unknown, "add them to deletion-store.ts, or here where removeChunks empties them").toEqual([]);
});
