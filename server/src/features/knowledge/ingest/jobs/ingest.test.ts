import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { systemClock } from "../../../../kernel/clock.ts";
import { createIds } from "../../../../kernel/ids.ts";
import type { Statements } from "../../../../kernel/machines.ts";
import type { Role } from "../../../../kernel/principal.ts";
import { createDownloadPort } from "../../../../outbound/download-port.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { findRecord, searchChunks } from "../../public.ts";
import { createIngestJob, ingestSweep } from "./ingest.ts";

const app = useApp();
const process = useWorkerProcess(app);
const where = "/v1/knowledge/bases/docs/documents";
const sound = (): Statements => createReader(process.database.pool);
const port = createDownloadPort({ outboundAllow: [] });

/** Carries the job out, by default as a worker would. */
const work = (id: string, db: Statements = sound()): Promise<void> =>
  createIngestJob(
    { db, inside: process.inside, clock: systemClock, newId: createIds(systemClock) },
    port,
  )({ ...app.scope, document: id });
const add = async (
  name: string,
  text: string,
  members: Record<string, string> = {},
  type = "text/plain",
  key: Role = "admin",
) => {
  const form = new FormData();
  for (const [member, value] of Object.entries(members)) form.append(member, value);
  form.append("file", new Blob([text], { type }), name);
  const headers = { authorization: `Bearer ${app.key(key)}` };
  const response = await fetch(app.url + where, { method: "POST", headers, body: form });
  expect(response.status).toBe(202);
  return ((await response.json()) as { document_id: string }).document_id;
};
const indexed = async (...given: Parameters<typeof add>) => {
  const id = await add(...given);
  await work(id);
  expect(await rowOf(id)).toMatchObject({ state: "indexed" });
  return id;
};
const rowOf = async (id: string) => (await app.pool.query("select * from documents where id = $1", [id])).rows[0];
const looking = () => ({ scope: app.scope, db: createReader(app.pool) });
const search = async (query: string): Promise<string[]> =>
  (await searchChunks(looking(), ["docs"], query, 10)).map(({ text }) => text);
const sweep = () => process.sweeperWith([ingestSweep]).sweep();
const lapse = (id: string) => app.pool.query("update documents set lease_until = now() where id = $1", [id]);
/** Statements that fail where they contain a text. */
const failing = (text: string): Statements => ({
  query: (statement, values) =>
    statement.includes(text) ? Promise.reject(new Error("the connection broke")) : sound().query(statement, values),
});

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "docs" } })).status).toBe(201);
});

describe("indexing a document", () => {
  it("serves what was found before until the new contents are indexed, and keeps it for its citations", async () => {
    const id = await indexed("a.txt", "Otters sleep on their backs.", { external_id: "otter" });
    expect(await add("a.txt", "Badgers sleep in setts.", { external_id: "otter" })).toBe(id);
    expect(await search("otters sleeping")).toEqual(["Otters sleep on their backs."]);
    await work(id);
    expect(await search("sleeping")).toEqual(["Badgers sleep in setts."]);
    const { rows } = await app.pool.query("select version, text from former_chunks where document = $1", [id]);
    expect(rows).toEqual([{ version: 1, text: "Otters sleep on their backs." }]);
  });

  it("finds the classes of data of each chunk and of the document", async () => {
    const id = await indexed("contact.txt", "Write to ada@example.com about it.");
    expect(await rowOf(id)).toMatchObject({ data_classes: ["personal"] });
    const { rows } = await app.pool.query("select data_classes from chunks where document = $1", [id]);
    expect(rows).toEqual([{ data_classes: ["personal"] }]);
  });

  it("keeps the headings and tables of a text that is Markdown", async () => {
    const text = "# Tides\n\n## High water\n\nAt noon.\n\n| day | at |\n|---|---|\n| Monday | 12 |\n";
    const markdown = { text, media_type: "text/markdown" };
    const { status, body } = await app.call("POST", where, { body: { ...markdown, title: "Harbour" } });
    expect([status, body.state, body.source]).toEqual([202, "queued", "text"]);
    await work(body.document_id);
    const chunks = (await app.call("GET", `${where}/${body.document_id}/chunks`)).body.data;
    expect(chunks).toMatchObject([{ title: "Harbour", headings: ["Tides", "High water"], kind: "table" }]);
    const replaced = await app.call("PUT", `${where}/${body.document_id}`, { body: { text: "At one." } });
    expect(replaced.body).toMatchObject({ state: "indexed", media_type: null, chunks: 1 });
    const record = await app.call("POST", where, { body: { ...markdown, fields: { a: 1 } } });
    expect(record.body).toMatchObject({ errors: [{ pointer: "/media_type" }] });
  });

  it("takes a text with NULs for a binary file", async () => {
    const id = await add("nul.txt", "A \0 in the midst.");
    await work(id);
    expect(await rowOf(id)).toMatchObject({ state: "failed", error: { code: "unsupported_type" } });
  });

  it("lets text take the place of a file that still waits", async () => {
    const id = await add("b.txt", "From the file.", { external_id: "both" });
    const { body } = await app.call("POST", where, { body: { external_id: "both", text: "From the call." } });
    expect(body).toMatchObject({ document_id: id, state: "indexed" });
    await work(id);
    expect(await rowOf(id)).toMatchObject({ text: "From the call.", source: "text", pending: null });
  });

  it("emits that it is found, and leaves a record", async () => {
    const id = await indexed("event.txt", "Something happened.");
    const { rows } = await app.pool.query(
      "select body from events where type = 'knowledge.document.indexed' and body like $1",
      [`%${id}%`],
    );
    expect(JSON.parse(rows[0].body)).toMatchObject({
      document_id: id,
      base: "docs",
      version: 1,
      chunks: 1,
      records: 0,
    });
  });
});

describe("a job that breaks off", () => {
  it("is taken up again by the sweep", async () => {
    const id = await add("crash.txt", "Found in the end.");
    await expect(work(id, failing("document_files"))).rejects.toThrow("broke");
    await sweep();
    expect(await rowOf(id)).toMatchObject({ state: "parsing", attempt: 1, pending: { faults: 1 } });
    await lapse(id);
    await sweep();
    expect(await rowOf(id)).toMatchObject({ state: "queued" });
    await work(id);
    expect(await rowOf(id)).toMatchObject({ state: "indexed", attempt: 2 });
  });

  it("is given up only after forty errors in a row, and what it was about stays to be tried again", async () => {
    const id = await add("hopeless.txt", "Never found.");
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(work(id, failing("document_files"))).rejects.toThrow("broke");
      await lapse(id);
      await sweep();
    }
    expect(await rowOf(id)).toMatchObject({ state: "queued", attempt: 5 });
    await app.pool.query(`update documents set pending = pending || '{"faults": 39}' where id = $1`, [id]);
    await expect(work(id, failing("document_files"))).rejects.toThrow("broke");
    await lapse(id);
    await sweep();
    expect(await rowOf(id)).toMatchObject({
      state: "failed",
      error: { code: "gave_up" },
      pending: { file_name: "hopeless.txt" },
    });
  });

  it.each([
    ["it reads the file", "document_files", undefined],
    ["it has cut it", "progress = $6", "indexing"],
  ])("writes nothing once the document is in other hands, also since %s", async (_when, part, state) => {
    const external_id = `stolen while ${part}`;
    const id = await add("stolen.txt", "The first contents.", { external_id });
    let stolen = false;
    const replacing: Statements = {
      query: async (statement, values = []) => {
        const rows = await sound().query(statement, values);
        if (!stolen && statement.includes(part) && (!state || values.includes(state))) {
          stolen = true;
          await add("stolen.txt", "The second contents.", { external_id });
        }
        return rows as never;
      },
    };
    await work(id, replacing);
    expect(await rowOf(id)).toMatchObject({ state: "queued", text: null });
    await work(id);
    expect(await rowOf(id)).toMatchObject({ state: "indexed", text: "The second contents." });
  });
});

describe("a document at an address", () => {
  let server: Server;
  let origin: string;
  let page = "The lighthouse is lit at dusk.";
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/moved") return response.writeHead(302, { location: "/page.txt" }).end();
      if (request.url === "/inside") return response.writeHead(302, { location: "http://10.0.0.1/" }).end();
      if (request.url === "/huge") return response.writeHead(200, { "content-length": "200000000" }).end("a");
      if (request.url === "/gone") return response.writeHead(404).end();
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(page);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  const addUrl = async (path: string) => {
    const { status, body } = await app.call("POST", where, { body: { url: origin + path } });
    expect(status).toBe(202);
    await work(body.document_id);
    return rowOf(body.document_id);
  };

  it("is fetched and indexed, and fetched again where it is added again", async () => {
    const row = await addUrl("/moved");
    expect(row).toMatchObject({ state: "indexed", source: "url", media_type: "text/plain", text: page, title: "page" });
    expect(await addUrl("/moved")).toMatchObject({ id: row.id, state: "indexed", version: 1 });
    page = "The lighthouse is dark.";
    expect(await addUrl("/moved")).toMatchObject({ id: row.id, state: "indexed", version: 2, text: page });
  });

  it.each([
    ["/inside", "fetch_refused"],
    ["/huge", "too_large"],
    ["/gone", "fetch_failed"],
  ])("fails for %s as %s", async (path, code) => {
    expect(await addUrl(path)).toMatchObject({ state: "failed", error: { code } });
  });

  it.each([
    ["ftp://example.com/a", "address_invalid"],
    ["nowhere", "address_invalid"],
  ])("is refused at once as %s", async (url, code) => {
    const { status, body } = await app.call("POST", where, { body: { url } });
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: "/url", code }]);
  });
});

describe("a file of rows", () => {
  const csv = (...lines: string[]) => ["id,company,city", ...lines].join("\n");
  const upload = async (text: string) => {
    const id = await add("leads.csv", text, { external_id: "leads-file" }, "text/csv");
    await work(id);
    return rowOf(id);
  };
  const record = async (id: string) => (await findRecord(looking(), "docs", id))?.fields;

  it("becomes a record for each row; another upload changes what changed and removes what is gone", async () => {
    const first = await upload(csv("l1,Amber Looms,Ghent", "l2,Cobalt Ceramics,Delft", "l3,Jade Bikes,Utrecht"));
    expect(first).toMatchObject({
      state: "indexed",
      row_counts: { records: 3, added: 3, replaced: 0, unchanged: 0, removed: 0 },
    });
    expect(await record("l2")).toMatchObject({ company: "Cobalt Ceramics", city: "Delft" });
    const second = await upload(csv("l1,Amber Looms,Ghent", "l2,Cobalt Ceramics,Leiden", "l4,Onyx Pens,Bruges"));
    expect(second).toMatchObject({ row_counts: { records: 3, added: 1, replaced: 1, unchanged: 1, removed: 1 } });
    expect(await record("l2")).toMatchObject({ city: "Leiden" });
    expect(await record("l3")).toBeUndefined();
    expect(await search("Utrecht bikes")).toEqual([]);
    expect(await search("Leiden")).toHaveLength(1);
  });

  it("hides its rows from whom the file is hidden, also later, and takes over no document that is hidden", async () => {
    const hidden = { external_id: "h1", fields: { note: "Secret." }, readers: ["role:approver"] };
    await app.call("POST", where, { body: hidden });
    const own = { external_id: "own", readers: '["role:builder"]' };
    const id = await add("own.csv", "id,note\nr1,One\nh1,Mine", own, "text/csv", "builder");
    await work(id);
    const seen = async (document: string, key: string) =>
      (await app.call("GET", `${where}/${document}`, { key })).status;
    expect([await seen("r1", "builder"), await seen("r1", "viewer"), await seen("h1", "builder")]).toEqual([
      200, 404, 404,
    ]);
    expect((await app.call("GET", `${where}/h1`)).body).toMatchObject({ fields: { note: "Secret." }, version: 1 });
    await app.call("PUT", `${where}/own/access`, { body: { readers: ["role:viewer"] } });
    expect([await seen("r1", "builder"), await seen("r1", "viewer")]).toEqual([404, 200]);
  });

  it("takes its rows with it where a text replaces it, and reads them again where it is restored", async () => {
    const id = await indexed("tides.csv", "id,at\nt1,noon", { external_id: "tides" }, "text/csv");
    await app.call("PUT", `${where}/${id}`, { body: { text: "No tides." } });
    expect(await findRecord(looking(), "docs", "t1")).toBeUndefined();
    const { body } = await app.call("POST", `${where}/${id}/restore`, { body: { version: 1 } });
    expect(body.state).toBe("queued");
    await work(id);
    expect(await findRecord(looking(), "docs", "t1")).toMatchObject({ fields: { at: "noon" } });
    await app.call("POST", where, { body: { external_id: "tides", text: "None again." } });
    expect(await findRecord(looking(), "docs", "t1")).toBeUndefined();
  });

  it("takes more rows than one batch", async () => {
    const lines = Array.from({ length: 2_500 }, (_, at) => `{"name":"Company ${at}"}`);
    const id = await indexed("many.jsonl", lines.join("\n"), {}, "application/jsonl");
    expect(await rowOf(id)).toMatchObject({ row_counts: { records: 2_500, added: 2_500 } });
    const again = await add(
      "many.jsonl",
      lines.slice(0, 2_000).join("\n"),
      { external_id: "other" },
      "application/jsonl",
    );
    await work(again);
    const { rows } = await app.pool.query("select count(*)::int as n from documents where parent = $1", [again]);
    expect(rows).toEqual([{ n: 2_000 }]);
  });
});
