import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { createIds } from "../../../../kernel/ids.ts";
import { createDownloadPort } from "../../../../outbound/download-port.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { createIngestJob } from "../../ingest/jobs/ingest.ts";

const app = useApp();
const worker = useWorkerProcess(app);
const base = "/v1/knowledge/bases/notes";
const at = (document: string) => `${base}/documents/${document}`;
const add = async (body: object) => (await app.call("POST", `${base}/documents`, { body })).body;
const chunksOf = async (document: string) => (await app.call("GET", `${at(document)}/chunks`)).body.data;
const work = (id: string) =>
  createIngestJob(
    {
      db: createReader(worker.database.pool),
      inside: worker.inside,
      clock: systemClock,
      newId: createIds(systemClock),
    },
    createDownloadPort({ outboundAllow: [] }),
  )({ ...app.scope, document: id });

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } })).status).toBe(201);
});

describe("replacing a document by a file", () => {
  const send = async (document: string, text: string, members: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(members)) form.append(name, value);
    form.append("file", new Blob([text], { type: "text/plain" }), "tides.txt");
    const headers = { authorization: `Bearer ${app.key("admin")}` };
    const answer = await fetch(`${app.url}${at(document)}`, { method: "PUT", headers, body: form });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it("keeps the id and serves the former contents until the file is indexed", async () => {
    const readers = ["role:builder"];
    const { document_id: id } = await add({ title: "Tides", text: "High water at nine.", readers });
    const { status, body } = await send(id, "High water at noon.", { metadata: '{"harbour":"east"}' });
    expect([status, body]).toMatchObject([200, { document_id: id, outcome: "replaced", state: "queued", version: 1 }]);
    expect(await chunksOf(id)).toMatchObject([{ text: "High water at nine." }]);
    await work(id);
    expect((await app.call("GET", at(id))).body).toMatchObject({
      document_id: id,
      state: "indexed",
      version: 2,
      source: "file",
      file_name: "tides.txt",
      readers,
      text: "High water at noon.",
      metadata: { harbour: "east" },
    });
    expect(await chunksOf(id)).toMatchObject([{ text: "High water at noon.", version: 2 }]);
    expect((await add({ text: "High water at noon." })).outcome).toBe("added"); // the text is not the file
    expect((await send(id, "High water at noon.")).body).toMatchObject({ outcome: "unchanged", version: 2 });
  });

  it("is taken back by the text that is served still", async () => {
    const { document_id: id } = await add({ text: "Ebb at one." });
    await send(id, "Ebb at two.");
    const { body } = await app.call("PUT", at(id), { body: { text: "Ebb at one." } });
    expect(body).toMatchObject({ outcome: "replaced", state: "indexed", version: 2 });
    await work(id);
    expect((await app.call("GET", at(id))).body).toMatchObject({ text: "Ebb at one.", version: 2 });
  });

  it("refuses a file that another document has, and an address beside a text", async () => {
    const { document_id: one } = await add({ text: "One tide." });
    const { document_id: two } = await add({ text: "Two tides." });
    await send(one, "A tide table.");
    await work(one);
    const refused = await send(two, "A tide table.");
    expect([refused.status, refused.body.code, refused.body.document_id]).toEqual([409, "document_exists", one]);
    const both = await app.call("PUT", at(two), { body: { text: "a", url: "https://example.com/" } });
    expect([both.status, both.body.errors]).toMatchObject([422, [{ pointer: "/url" }]]);
  });
});
