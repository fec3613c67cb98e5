import { beforeAll, describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const base = "/v1/knowledge/bases/notes-listed";
const add = async (body: object): Promise<string> =>
  (await app.call("POST", `${base}/documents`, { body })).body.document_id;
const list = async (query = "", options = {}) => {
  const { body } = await app.call("GET", `${base}/${query || "documents"}`, options);
  return (body.data ?? []).map(({ external_id }: { external_id: string }) => external_id);
};

beforeAll(async () => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes-listed", review_days: 30 } });
  await add({ external_id: "open", text: "For all.", metadata: { team: "sales", tags: ["a"] } });
  await add({ external_id: "builders", text: "For some.", readers: ["role:builder"] });
  await add({ external_id: "failed", text: "Failed.", metadata: { team: "desk" } });
  await app.pool.query(
    `update documents set state = 'failed', error = '{"code":"damaged","detail":"It cannot be read."}' where external_id = 'failed'`,
  );
});

describe("listing documents", () => {
  it("shows them newest first without what they say, with state and error", async () => {
    const { body } = await app.call("GET", `${base}/documents`);
    expect(body.data).toMatchObject([
      { external_id: "failed", state: "failed", error: { code: "damaged" } },
      { external_id: "builders", readers: ["role:builder"] },
      { external_id: "open", state: "indexed", chunks: 1, version: 1, source: "text" },
    ]);
    expect(body.data[0]).not.toHaveProperty("text");
  });

  it("filters by state, external id and metadata, and pages", async () => {
    expect(await list("documents?state=failed,queued")).toEqual(["failed"]);
    expect(await list("documents?external_id=open")).toEqual(["open"]);
    expect(await list(`documents?metadata=${encodeURIComponent('{"team":"sales"}')}`)).toEqual(["open"]);
    expect(await list("documents?created_after=2099-01-01T00:00:00Z")).toEqual([]);
    const { body } = await app.call("GET", `${base}/documents?limit=2`);
    expect(await list(`documents?limit=2&cursor=${body.next_cursor}`)).toEqual(["open"]);
  });

  it("filters by connector and by file, by id or by name", async () => {
    const source = { name: "news", kind: "feed", source: { url: "https://example.com/feed" } };
    const { connector_id } = (await app.call("POST", `${base}/connectors`, { body: source })).body;
    const of = async (external: string) => (await app.call("GET", `${base}/documents/${external}`)).body.document_id;
    const file = await of("failed");
    const set = "update documents set connector = $1, parent = $2 where id = $3";
    await app.pool.query(set, [connector_id, file, await of("open")]);
    for (const filter of ["connector=news", `connector=${connector_id}`, "parent=failed", `parent=${file}`])
      expect(await list(`documents?${filter}`)).toEqual(["open"]);
    expect(await list("documents?connector=open")).toEqual([]);
  });

  it.each(["[]", "{", '{"a":"\\u0000"}'])("refuses %s as metadata, naming the parameter", async (metadata) => {
    const { status, body } = await app.call("GET", `${base}/documents?metadata=${encodeURIComponent(metadata)}`);
    expect([status, body.errors[0].parameter]).toEqual([400, "metadata"]);
  });
});

describe("access", () => {
  it("hides a document from whoever may not read it, in lists, reads and exports", async () => {
    expect(await list("", { key: "viewer" })).toEqual(["failed", "open"]);
    expect(await list("", { key: "builder" })).toEqual(["failed", "builders", "open"]);
    expect((await app.call("GET", `${base}/documents/builders`, { key: "viewer" })).status).toBe(404);
    const exported = await app.call("POST", `${base}/export`, { key: "viewer", body: {} });
    expect(exported.body.documents).toBe(2);
  });

  it("follows a change at once", async () => {
    const readers = ["role:viewer"];
    const { body } = await app.call("PUT", `${base}/documents/open/access`, { body: { readers } });
    expect(body).toMatchObject({ readers, base_readers: null });
    expect(await list("", { key: "viewer" })).toContain("open");
    expect(await list("", { key: "builder" })).not.toContain("open");
    const refused = await app.call("PUT", `${base}/documents/open/access`, { body: { readers: ["everybody"] } });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, "/readers/0"]);
    await app.call("PUT", `${base}/documents/open/access`, { body: { readers: null } });
  });

  it("hides a base with all that is in it", async () => {
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "hidden", readers: ["role:approver"] } });
    const names = async (key: string) =>
      (await app.call("GET", "/v1/knowledge/bases", { key })).body.data.map(({ name }: { name: string }) => name);
    expect([await names("viewer"), await names("approver")].map((one) => one.includes("hidden"))).toEqual([
      false,
      true,
    ]);
    expect((await app.call("GET", "/v1/knowledge/bases/hidden", { key: "viewer" })).status).toBe(404);
  });
});

describe("documents past their review date", () => {
  it("are those whose date or days have passed, until somebody reviews them", async () => {
    expect(await list("stale")).toEqual([]);
    await app.pool.query("update documents set updated_at = now() - interval '31 days' where external_id = 'open'");
    await app.call("POST", `${base}/documents`, {
      body: { external_id: "failed", text: "Failed.", review_at: "2020-01-01T00:00:00Z" },
    });
    expect(await list("stale")).toEqual(["failed", "open"]);
    const { health } = (await app.call("GET", base)).body;
    expect(health.stale).toBe(2);
    const review = (document: string, body: object) =>
      app.call("POST", `${base}/documents/${document}/review`, { body });
    expect((await review("open", {})).body.stale).toBe(false);
    expect((await review("failed", { review_at: "2090-01-01T00:00:00Z" })).body.review_at).toBe(
      "2090-01-01T00:00:00.000Z",
    );
    expect(await list("stale")).toEqual([]);
  });
});

describe("an export", () => {
  it("streams the base and each document with contents, and says where it ends", async () => {
    const { url, documents } = (await app.call("POST", `${base}/export`, { body: {} })).body;
    const headers = { authorization: `Bearer ${app.key("admin")}`, accept: "application/x-ndjson" };
    const response = await fetch(app.url + url, { headers });
    expect(response.headers.get("content-type")).toContain("application/x-ndjson");
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0].base.name).toBe("notes-listed");
    expect(lines.at(-1)).toEqual({ end: true, documents });
    expect(lines.slice(1, -1).map(({ document }) => [document.external_id, document.text])).toEqual([
      ["open", "For all."],
      ["builders", "For some."],
      ["failed", "Failed."],
    ]);
  });
});
