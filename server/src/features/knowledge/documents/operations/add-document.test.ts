import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { findRecord, searchChunks } from "../../public.ts";

describe("adding a document", () => {
  const app = useSharedApp();
  const looking = () => ({ scope: app.scope, db: createReader(app.pool) });
  const add = (body: object, options = {}) =>
    app.call("POST", "/v1/knowledge/bases/notes-added/documents", { body, ...options });
  const search = async (query: string): Promise<string[]> =>
    (await searchChunks(looking(), ["notes-added"], query, 10)).map(({ text }) => text);

  beforeAll(async () => {
    expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes-added" } })).status).toBe(201);
  });

  it("keeps a text so that searches find it as soon as the call answers", async () => {
    const { status, headers, body } = await add({
      title: "Returns",
      text: "Parcels are sent back within thirty days.",
    });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      outcome: "added",
      base: "notes-added",
      external_id: null,
      title: "Returns",
      state: "indexed",
      chunks: 1,
    });
    expect(headers.get("location")).toBe(`/v1/knowledge/bases/${body.base_id}/documents/${body.document_id}`);
    expect(await search("sending a parcel back")).toEqual(["Parcels are sent back within thirty days."]);
  });

  it("keeps a record so that it is looked up by its own id, and found by what it says", async () => {
    const { body } = await add({ external_id: "ac_1", fields: { company: "Cobalt Ceramics", seats: 40 } });
    expect(await findRecord(looking(), "notes-added", "ac_1")).toEqual({
      id: body.document_id,
      external_id: "ac_1",
      version: 1,
      fields: { company: "Cobalt Ceramics", seats: 40 },
    });
    expect(await search("cobalt")).toEqual(["company: Cobalt Ceramics\nseats: 40"]);
  });

  it("finds the base by its id as well as by its name", async () => {
    const { body } = await add({ text: "Named." });
    const again = await app.call("POST", `/v1/knowledge/bases/${body.base_id}/documents`, {
      body: { text: "By its id." },
    });
    expect([again.status, again.body.base]).toEqual([202, "notes-added"]);
  });

  it("takes the place of what the same external id said, keeping the document's id", async () => {
    const first = await add({ external_id: "price", title: "Prices", text: "A seat costs forty dollars." });
    const second = await add({ external_id: "price", title: "Prices", text: "A seat costs ninety euros." });
    expect(second.body).toMatchObject({
      outcome: "replaced",
      document_id: first.body.document_id,
      created_at: first.body.created_at,
    });
    expect(second.body.digest).not.toBe(first.body.digest);
    expect(await search("dollars")).toEqual([]);
    expect(await search("euros")).toEqual(["A seat costs ninety euros."]);
  });

  it("changes nothing where the document says what it said, whatever its external id", async () => {
    const once = await add({ external_id: "same", text: "The same words." });
    const twice = await add({ external_id: "same", text: "The same words." });
    expect(twice.body).toEqual({ ...once.body, outcome: "unchanged" });
    const anonymous = await add({ text: "The same words." });
    expect(anonymous.body.outcome).toBe("added");
    expect((await add({ text: "The same words." })).body).toEqual({ ...anonymous.body, outcome: "unchanged" });
  });

  it("answers the classes of data in what it stored", async () => {
    const { body } = await add({ external_id: "contact", text: "Write to ada@example.com." });
    expect(body.data_classes).toEqual(["personal"]);
    expect((await add({ external_id: "contact", text: "Write to nobody." })).body.data_classes).toEqual([]);
  });

  it("removes the record where a text takes its place", async () => {
    await add({ external_id: "was", fields: { a: "one" } });
    await add({ external_id: "was", text: "A text now." });
    expect(await findRecord(looking(), "notes-added", "was")).toBeUndefined();
  });

  it("refuses a document that says nothing", async () => {
    const { status, body } = await add({ external_id: "empty", title: "Nothing" });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ pointer: "", code: "required", detail: expect.stringContaining("`text`") }]);
  });

  it.each([
    ["/text", { text: "" }],
    ["/text", { text: " \n" }],
    ["/fields", { fields: {} }],
    ["/external_id", { text: "a", external_id: "" }],
    ["/title", { text: "a", title: "t".repeat(501) }],
    ["/url", { text: "a", url: "https://example.com/" }],
  ])("names %s where it is ill-formed", async (pointer, given) => {
    const { status, body } = await add(given);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  it("leaves one document where the same is added many times at once", async () => {
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, at) => add({ external_id: "race", text: `Version ${at % 2} of the racing text.` })),
    );
    expect(new Set(added.map(({ body }) => body.document_id)).size).toBe(1);
    expect(await search("racing")).toHaveLength(1);
  });
});
