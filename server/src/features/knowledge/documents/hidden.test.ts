import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

// Whatever an operation is called with, it shows a builder nothing of a base or a document that only approvers may read.

const app = useApp();
const word = "Zanzibar";
const hidden: Record<string, string> = {};
const builder = { key: "builder" };
const call = (method: string, path: string, body?: object) =>
  app.call(method, `/v1/knowledge${path}`, { ...builder, ...(body && { body }) });
const admin = (method: string, path: string, body?: object) =>
  app.call(method, `/v1/knowledge${path}`, { ...(body && { body }) });
const secret = { external_id: "secret", title: word, text: `The harvest of ${word}.`, readers: ["role:approver"] };
const website = { kind: "website", source: { url: "https://zanzibar.invalid/" } };
const inDocument: [string, string, object?][] = [
  ["GET", ""],
  ["GET", "/chunks"],
  ["GET", "/versions"],
  ["PATCH", "/chunks/1", { disabled: true }],
  ["PUT", "", { text: "Mine." }],
  ["PUT", "/access", { readers: null }],
  ["POST", "/review", {}],
  ["POST", "/restore", { version: 1 }],
  ["POST", "/reindex", {}],
  ["DELETE", ""],
];
const inBase: [string, string, object?][] = [
  ["GET", ""],
  ["PATCH", "", { readers: null }],
  ["DELETE", "?force=true"],
  ["GET", "/documents"],
  ["POST", "/documents", { text: "Mine." }],
  ["POST", "/documents/bulk", { documents: [{ delete: "secret" }] }],
  ["GET", "/stale"],
  ["GET", "/gaps"],
  ["POST", "/test", { questions: [{ question: word, expected: ["secret"] }] }],
  ["POST", "/export", {}],
  ["GET", "/export"],
  ["GET", "/connectors"],
  ["POST", "/connectors", { ...website, name: "mine" }],
  ["GET", "/syncs"],
  ["POST", "/sync", {}],
];

beforeAll(async () => {
  for (const [name, readers] of Object.entries({ shelf: null, vault: ["role:approver"] })) {
    expect((await admin("POST", "/bases", { name, readers })).status).toBe(201);
    const { readers: own, ...rest } = secret;
    const { body } = await admin(
      "POST",
      `/bases/${name}/documents`,
      name === "shelf" ? { ...rest, readers: own } : rest,
    );
    const chunks = await admin("GET", `/bases/${name}/documents/secret/chunks`);
    Object.assign(hidden, { [name]: body.document_id, [`${name}_cited`]: chunks.body.data[0].citation });
    const made = await admin("POST", `/bases/${name}/connectors`, {
      ...website,
      name: "inner",
      readers: ["role:approver"],
    });
    const synced = await admin("POST", `/bases/${name}/sync`, { connector: "inner" });
    Object.assign(hidden, {
      [`${name}_sync`]: synced.body.syncs[0].sync_id,
      [`${name}_connector`]: made.body.connector_id,
    });
  }
  await admin("POST", "/bases/shelf/documents", { external_id: "open", title: "Open", text: "The harvest of rye." });
});

it.each(inDocument)("does not find a hidden document: %s %s", async (method, path, body) => {
  for (const id of ["secret", hidden.shelf])
    expect((await call(method, `/bases/shelf/documents/${id}${path}`, body)).status, id).toBe(404);
  const answer = await call(method, `/bases/vault/documents/secret${path}`, body);
  expect([answer.status, answer.text.includes(word)]).toEqual([404, false]);
});

it.each(inBase)("does not find a hidden base: %s %s", async (method, path, body) => {
  const answer = await call(method, `/bases/vault${path}`, body);
  expect([answer.status, answer.text.includes(word)]).toEqual([404, false]);
});

it("does not find citations, syncs and connectors of what is hidden", async () => {
  for (const name of ["shelf", "vault"]) {
    expect((await call("GET", `/citations/${hidden[`${name}_cited`]}`)).status).toBe(404);
    expect((await call("GET", `/bases/${name}/syncs/${hidden[`${name}_sync`]}`)).status, `sync of ${name}`).toBe(404);
    const connector = `/bases/${name}/connectors/${hidden[`${name}_connector`]}`;
    expect((await call("PATCH", connector, { readers: null })).status).toBe(404);
    expect((await call("DELETE", `${connector}?keep_documents=true`)).status).toBe(404);
  }
  expect((await call("GET", "/bases/shelf/connectors")).body.data).toEqual([]);
  expect((await call("GET", "/bases/shelf/syncs")).body.data).toEqual([]);
  expect((await call("POST", "/bases/shelf/sync", { connector: "inner" })).status).toBe(422);
});

it("shows nothing of it in lists, counts, exports, tests, gaps and searches", async () => {
  const answers = [
    await call("GET", "/bases"),
    await call("GET", "/bases/shelf"),
    await call("GET", "/bases/shelf/documents"),
    await call("GET", "/bases/shelf/stale"),
    await call("POST", "/search", { query: "harvest" }),
    await call("POST", "/search", { query: "harvest zanzibra" }),
    await call("POST", "/search", { query: "harvest", as: { agent: "sales" } }),
    await call("POST", "/bases/shelf/test", { questions: [{ question: "harvest", expected: ["secret"] }] }),
    await call("GET", "/bases/shelf/gaps"),
  ];
  for (const { status, text } of answers) {
    expect(status, text).toBe(200);
    expect(text).not.toMatch(new RegExp(`${word}|${hidden.shelf}|vault`, "i"));
  }
  const headers = { authorization: `Bearer ${app.key("builder")}`, accept: "application/x-ndjson" };
  const exported = await (await fetch(`${app.url}/v1/knowledge/bases/shelf/export`, { headers })).text();
  expect(exported).toContain('"end":true,"documents":1');
  expect(exported).toContain('"documents":1,"records":0,"chunks":1');
  expect(exported).not.toMatch(new RegExp(`${word}|${hidden.shelf}`, "i"));
  const [bases, base] = answers;
  expect(bases?.body.data.find(({ name }: { name: string }) => name === "shelf")).toMatchObject({
    documents: 1,
    chunks: 1,
  });
  expect(base?.body).toMatchObject({ documents: 1, chunks: 1, health: { documents: { indexed: 1 } } });
  expect((await admin("GET", "/bases/shelf")).body).toMatchObject({ documents: 2, chunks: 2 });
});

it("counts nothing of it in a base's vectors, a connector's items, and what a deletion removed", async () => {
  const made = await admin("POST", "/bases", { name: "stack" });
  const documents = [
    { external_id: "open", text: "Open." },
    { external_id: "rows", text: "Rows." },
    { ...secret, external_id: "row" },
    secret,
  ];
  const added = await admin("POST", "/bases/stack/documents/bulk", { documents });
  const ids = added.body.results.map(({ document }: { document: { document_id: string } }) => document.document_id);
  await app.pool.query("update documents set parent = $1 where id = $2", [ids[1], ids[2]]);
  await app.pool.query("update knowledge_bases set embedding = '{}' where id = $1", [made.body.base_id]);
  await app.pool.query("update embedding_queue set error = 'refused' where base = $1", [made.body.base_id]);
  const connector = await admin("POST", "/bases/stack/connectors", { ...website, name: "all" });
  await app.pool.query(
    `insert into knowledge_items (organization, environment, connector, item, fingerprint, document, seen_in)
     select organization, environment, $1, id, '', id, '' from documents where base = $2`,
    [connector.body.connector_id, made.body.base_id],
  );
  expect((await call("GET", "/bases/stack")).body).toMatchObject({ chunks: 2, vectors: { of: 2, failing: 2 } });
  expect((await admin("GET", "/bases/stack")).body).toMatchObject({ chunks: 4, vectors: { of: 4, failing: 4 } });
  expect((await call("GET", "/bases/stack/connectors")).body.data).toMatchObject([{ items: 2 }]);
  const file = await call("DELETE", "/bases/stack/documents/rows");
  expect(file.body).toMatchObject({ rows_removed: 0, chunks_removed: 1 });
  expect((await call("DELETE", "/bases/stack")).body).toMatchObject({ documents: 1, chunks: 1 });
  const { rows } = await app.pool.query("select documents, chunks from deleted_bases where name = 'stack'");
  expect(rows).toEqual([{ documents: 2, chunks: 2 }]);
});

it("does not write over a hidden document, nor say which one says the same", async () => {
  const { external_id, text, title } = secret;
  const bodies = [
    { external_id, text: "Mine.", readers: null },
    { external_id, url: "https://zanzibar.invalid/", readers: null },
  ];
  for (const body of bodies) {
    const answer = await call("POST", "/bases/shelf/documents", body);
    expect([answer.status, answer.body.code, answer.text.includes(hidden.shelf as string)]).toEqual([
      409,
      "document_exists",
      false,
    ]);
  }
  const bulk = await call("POST", "/bases/shelf/documents/bulk", {
    documents: [bodies[0], { delete: hidden.shelf as string }, { external_id: "other", text: "Other." }],
  });
  expect(bulk.body.results.map(({ status }: { status: number }) => status)).toEqual([409, 404, 202]);
  const same = await admin("POST", "/bases/shelf/documents", { title, text, readers: ["role:approver"] });
  const mine = await call("POST", "/bases/shelf/documents", { text: "Mine." });
  const answers = [
    await call("POST", "/bases/shelf/documents", { title, text, readers: null }),
    await call("PUT", `/bases/shelf/documents/${mine.body.document_id}`, { title, text }),
  ];
  for (const { status, text: said } of answers)
    expect([status, said.includes(same.body.document_id)]).toEqual([409, false]);
  const after = await admin("GET", "/bases/shelf/documents/secret");
  expect(after.body).toMatchObject({ text, version: 1, readers: secret.readers });
});

it("lets who wrote a hidden document last write it again, so that an import can be repeated", async () => {
  const own = { external_id: "own", text: "For approvers.", readers: ["role:approver"] };
  for (const text of [own.text, "For approvers alone."])
    expect((await call("POST", "/bases/shelf/documents", { ...own, text })).status).toBe(202);
  expect((await admin("GET", "/bases/shelf/documents/own")).body).toMatchObject({ version: 2, readers: own.readers });
  await admin("PUT", "/bases/shelf/documents/own", { text: "Of somebody else." });
  expect((await call("POST", "/bases/shelf/documents", own)).status).toBe(409);
});

it("knows a hidden base in a search as little as one that does not exist", async () => {
  for (const base of ["vault", "absent"]) {
    const { status, body } = await call("POST", "/search", { query: word, bases: [base] });
    expect([status, body.errors[0].code]).toEqual([422, "unknown_base"]);
  }
});
