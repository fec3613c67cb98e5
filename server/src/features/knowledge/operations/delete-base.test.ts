import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { emptyDeletedBase, tablesOfBases, tablesOfDocuments } from "../deletion-store.ts";

const app = useApp();
const remove = (base: string, query = "") => app.call("DELETE", `/v1/knowledge/bases/${base}${query}`, { body: {} });
const statements = () => ({
  query: async <R>(text: string, values: readonly unknown[] = []) =>
    (await app.pool.query(text, [...values])).rows as R[],
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
  const { body } = await remove("notes");
  expect(body).toMatchObject({ base_id, name: "notes", documents: 600, chunks: 600 });
  expect((await app.call("GET", `/v1/knowledge/bases/${base_id}`)).status).toBe(404);
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } })).status).toBe(201);
  const cited = () => app.call("GET", `/v1/knowledge/citations/${citation}`);
  expect([(await cited()).status, (await cited()).body.deleted_at]).toEqual([410, body.deleted_at]);

  const emptied = () => app.pool.query("select from deleted_bases where emptied_at is null");
  const steps: number[] = [];
  while ((await emptied()).rowCount !== 0) steps.push(await emptyDeletedBase(statements(), new Date()));
  expect(Math.max(...steps)).toBe(500);
  for (const table of ["documents", "chunks"])
    expect((await app.pool.query(`select from ${table} where base = $1`, [base_id])).rowCount, table).toBe(0);
  expect((await cited()).status).toBe(410);
  const { rows } = await app.pool.query("select body from events where body like '%knowledge.base.deleted%'");
  expect(rows.map(({ body }) => JSON.parse(body).base)).toEqual(["playbook", "notes"]);
});

it.each([
  ["document", [...tablesOfDocuments, "chunks", "chunk_postings", "chunk_vectors"]],
  ["base", [...tablesOfBases, "documents", "deleted_documents", "chunks", "chunk_indexes", "chunk_terms"]],
])("knows every table that holds something of a %s", async (column, known: readonly string[]) => {
  const { rows } = await app.pool.query(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = $1",
    [column],
  );
  const unknown = rows.map(({ table_name }) => table_name).filter((name) => !known.includes(name));
  expect(unknown, "add them to deletion-store.ts, or here where removeChunks empties them").toEqual([]);
});
