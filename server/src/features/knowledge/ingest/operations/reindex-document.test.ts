import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { searchChunks } from "../../public.ts";

const app = useApp({ role: "all" });
const where = "/v1/knowledge/bases/notes/documents";
const search = async (query: string): Promise<string[]> =>
  (await searchChunks({ scope: app.scope, db: createReader(app.pool) }, ["notes"], query, 10)).map(({ text }) => text);
const reindex = async (id: string) => {
  const answered = await app.call("POST", `${where}/${id}/reindex`);
  await eventually(async () => expect(await stateOf(id)).toMatch(/^(indexed|failed)$/));
  return answered;
};
const stateOf = async (id: string): Promise<string> =>
  (await app.pool.query("select state from documents where id = $1", [id])).rows[0].state;

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } })).status).toBe(201);
});

it("cuts a text by the base's present settings, and keeps its former chunks for their citations", async () => {
  const text = "The first sentence is about otters. The second sentence is about herons.";
  const { body } = await app.call("POST", where, { body: { text } });
  await app.pool.query(`update knowledge_bases set settings = '{"chunk_length": 40}' where name = 'notes'`);
  const { status, body: answer } = await reindex(body.document_id);
  expect([status, answer]).toMatchObject([202, { document_id: body.document_id, state: "queued", version: 1 }]);
  expect(await search("otters")).toEqual(["The first sentence is about otters."]);
  const { rows } = await app.pool.query(
    `select text, revision from former_chunks where document = $1 union all select 'now', max(revision) from chunks where document = $1`,
    [body.document_id],
  );
  expect(rows).toEqual([
    { text, revision: 1 },
    { text: "now", revision: 2 },
  ]);
});

it("keeps a record a record", async () => {
  const { body } = await app.call("POST", where, { body: { external_id: "r1", fields: { company: "Jade Bikes" } } });
  await reindex(body.document_id);
  expect(await search("jade")).toEqual(["company: Jade Bikes"]);
});

it("tries contents again that failed", async () => {
  const { body } = await app.call("POST", where, { body: { url: "http://127.0.0.1:1/nothing" } });
  await eventually(async () => expect(await stateOf(body.document_id)).toBe("failed"));
  await reindex(body.document_id);
  const { rows } = await app.pool.query("select state, attempt, error from documents where id = $1", [
    body.document_id,
  ]);
  expect(rows).toMatchObject([{ state: "failed", attempt: 3, error: { code: "fetch_failed" } }]);
});
