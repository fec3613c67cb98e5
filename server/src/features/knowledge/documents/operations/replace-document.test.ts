import { beforeAll, describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const base = "/v1/knowledge/bases/notes-replaced";
const at = (document: string) => `${base}/documents/${document}`;
const add = async (body: object) => (await app.call("POST", `${base}/documents`, { body })).body;
const chunksOf = async (document: string) => (await app.call("GET", `${at(document)}/chunks`)).body.data;

beforeAll(async () => {
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes-replaced" } })).status).toBe(201);
});

describe("replacing a document", () => {
  it("keeps id, access and metadata, and what it said as a version", async () => {
    const readers = ["role:builder"];
    const { document_id: id } = await add({ title: "Old", text: "One.", metadata: { team: "sales" }, readers });
    const { status, body } = await app.call("PUT", at(id), { body: { title: "New", text: "Two.\n\nThree." } });
    expect([status, body.outcome, body.version]).toEqual([200, "replaced", 2]);
    expect((await app.call("GET", at(id))).body).toMatchObject({
      title: "New",
      text: "Two.\n\nThree.",
      metadata: { team: "sales" },
      readers,
      version: 2,
      chunks: 1,
    });
    const versions = (await app.call("GET", `${at(id)}/versions`)).body.data;
    expect(
      versions.map(({ version, title, current }: { version: number; title: string; current: boolean }) => [
        version,
        title,
        current,
      ]),
    ).toEqual([
      [2, "New", true],
      [1, "Old", false],
    ]);
    const again = await app.call("PUT", at(id), { body: { title: "New", text: "Two.\n\nThree.", metadata: { a: 1 } } });
    expect(again.body).toMatchObject({ outcome: "unchanged", version: 2, metadata: { a: 1 } });
  });

  it("leaves what was cited readable, as no longer current", async () => {
    const { document_id: id } = await add({ external_id: "c-1", text: "The old rule." });
    const [{ citation }] = await chunksOf(id);
    await add({ external_id: "c-1", text: "The new rule." });
    const { body } = await app.call("GET", `/v1/knowledge/citations/${citation}`);
    expect(body).toMatchObject({ text: "The old rule.", version: 1, current: false, current_version: 2 });
    const [{ citation: present }] = await chunksOf(id);
    expect((await app.call("GET", `/v1/knowledge/citations/${present}`)).body).toMatchObject({
      text: "The new rule.",
      current: true,
      replaced_at: null,
    });
  });

  it("refuses to say what another document without an external id says, to put it and to restore it", async () => {
    const { document_id: one } = await add({ text: "The same." });
    const { document_id: two } = await add({ text: "Another." });
    const refused = await app.call("PUT", at(two), { body: { text: "The same." } });
    expect([refused.status, refused.body.code, refused.body.document_id]).toEqual([409, "document_exists", one]);
    await app.call("PUT", at(one), { body: { text: "Changed." } });
    await app.call("PUT", at(two), { body: { text: "The same." } });
    const restored = await app.call("POST", `${at(one)}/restore`, { body: { version: 1 } });
    expect([restored.status, restored.body.code]).toEqual([409, "document_exists"]);
  });

  it("needs text or fields", async () => {
    const { document_id: id } = await add({ text: "Needs." });
    expect((await app.call("PUT", at(id), { body: { title: "Only a title" } })).status).toBe(422);
  });
});

describe("restoring a version", () => {
  it("makes it the next one, with its chunks as they were, corrections among them", async () => {
    const { document_id: id } = await add({ external_id: "v-1", text: "First." });
    const corrected = await app.call("PATCH", `${at(id)}/chunks/1`, { body: { text: "First, corrected." } });
    expect(corrected.body).toMatchObject({ revision: 2, text: "First, corrected." });
    await app.pool.query("update chunks set headings = '{Rules}', first_page = 3 where document = $1", [id]);
    await app.call("PUT", at(id), { body: { text: "Second." } });
    const { status, body } = await app.call("POST", `${at(id)}/restore`, { body: { version: 1 } });
    expect([status, body.version, body.chunks]).toEqual([200, 3, 1]);
    expect(await chunksOf(id)).toMatchObject([
      { text: "First, corrected.", version: 3, revision: 1, headings: ["Rules"], first_page: 3 },
    ]);
    expect((await app.call("GET", at(id))).body.text).toBe("First.");
  });

  it("refuses a version that is none, and the current one", async () => {
    const { document_id: id } = await add({ text: "Only one." });
    for (const version of [1, 7]) {
      const { status, body } = await app.call("POST", `${at(id)}/restore`, { body: { version } });
      expect([status, body.code]).toEqual([409, "wrong_state"]);
    }
  });
});
