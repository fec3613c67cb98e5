import { beforeAll, describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const base = "/v1/knowledge/bases/notes-deleted";
const add = async (body: object) => (await app.call("POST", `${base}/documents`, { body })).body;
const remove = (document: string, options = {}) =>
  app.call("DELETE", `${base}/documents/${document}`, { body: {}, ...options });
const citationOf = async (document: string): Promise<string> =>
  (await app.call("GET", `${base}/documents/${document}/chunks`)).body.data[0].citation;

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes-deleted" } })).status).toBe(201);
});

describe("deleting a document", () => {
  it("removes all of it at once, proves it, and says so to subscribers", async () => {
    const { document_id: id, digest } = await add({ external_id: "d-1", text: "One." });
    await app.call("PUT", `${base}/documents/${id}`, { body: { text: "Two." } });
    const { digest: latest } = (await app.call("GET", `${base}/documents/${id}`)).body;
    expect(latest).not.toBe(digest);
    const { status, body } = await remove("d-1");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      document_id: id,
      external_id: "d-1",
      deleted: true,
      digest: latest,
      chunks_removed: 1,
      versions_removed: 1,
      rows_removed: 0,
    });
    expect((await app.call("GET", `${base}/documents/${id}`)).status).toBe(404);
    for (const table of ["documents", "chunks", "former_chunks", "document_versions", "document_files"]) {
      const column = table === "documents" ? "id" : "document";
      expect((await app.pool.query(`select from ${table} where ${column} = $1`, [id])).rowCount, table).toBe(0);
    }
    const record = await app.call("GET", `/v1/audit/events/${body.audit_ref}`);
    expect(JSON.stringify(record.body)).toContain(`document:${id}`);
    const events = await app.pool.query("select body from events where body like $1", [`%${id}%`]);
    expect(events.rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event: "knowledge.document.deleted", base: "notes-deleted", document_id: id, external_id: "d-1" },
    ]);
  });

  it("takes the records with it that came from its rows", async () => {
    const file = await add({ external_id: "file", text: "A file." });
    const row = await add({ external_id: "row", fields: { a: 1 } });
    await app.pool.query("update documents set parent = $1 where id = $2", [file.document_id, row.document_id]);
    expect((await remove(file.document_id)).body).toMatchObject({ rows_removed: 1, chunks_removed: 2 });
    expect((await app.call("GET", `${base}/documents/row`)).status).toBe(404);
  });

  it("makes its citations answer 410 with when, and 404 to whoever could not read it", async () => {
    const { document_id: id } = await add({ text: "Soon gone.", readers: ["role:builder"] });
    const citation = await citationOf(id);
    const read = (key: string) => app.call("GET", `/v1/knowledge/citations/${citation}`, { key });
    expect([(await read("builder")).status, (await read("viewer")).status]).toEqual([200, 404]);
    const { deleted_at } = (await remove(id)).body;
    const gone = await read("builder");
    expect([gone.status, gone.body.code, gone.body.deleted_at]).toEqual([410, "cited_source_deleted", deleted_at]);
    expect((await read("viewer")).status).toBe(404);
  });

  it("is refused where it changed since the caller read it", async () => {
    const { document_id: id } = await add({ external_id: "d-2", text: "One." });
    const etag = (await app.call("GET", `${base}/documents/${id}`)).headers.get("etag") as string;
    await app.call("PUT", `${base}/documents/${id}`, { body: { text: "Two." } });
    expect((await remove(id, { headers: { "if-match": etag } })).status).toBe(412);
  });
});

describe("deleting many documents", () => {
  it("deletes by id and external id before it adds, and tells what it did not find", async () => {
    const one = await add({ external_id: "b-1", text: "First." });
    const two = await add({ text: "Second." });
    const documents = [
      { delete: "b-1" },
      { delete: two.document_id },
      { delete: "unknown" },
      { external_id: "b-1", text: "Deleted above." },
      { delete: 3 },
      { text: "Third." },
    ];
    const { status, body } = await app.call("POST", `${base}/documents/bulk`, { body: { documents } });
    expect([status, body.added, body.deleted, body.failed]).toEqual([207, 1, 2, 3]);
    expect(body.results.map(({ status, deleted }: { status: number; deleted: string }) => [status, deleted])).toEqual([
      [200, one.document_id],
      [200, two.document_id],
      [404, null],
      [422, null],
      [422, null],
      [202, null],
    ]);
    expect((await app.call("GET", `${base}/documents/b-1`)).status).toBe(404);
  });
});
