import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

describe("reading a document", () => {
  const app = useSharedApp();

  it("answers what it says, where the answer to its addition points", async () => {
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes-read" } });
    const said = { external_id: "n-1", title: "Tables", text: "One paragraph.\n\nAnother.", fields: { pages: 2 } };
    const added = await app.call("POST", "/v1/knowledge/bases/notes-read/documents", { body: said });
    const { status, body } = await app.call("GET", added.headers.get("location") as string);
    expect(status).toBe(200);
    const { outcome: _outcome, ...members } = added.body;
    const rest = { reviewed_at: null, usage: { retrievals: 0, last_retrieved_at: null } };
    expect(body).toEqual({ ...members, text: said.text, fields: said.fields, ...rest });
  });

  it("is 404 under another base, and for an id of nothing", async () => {
    const added = await app.call("POST", "/v1/knowledge/bases/notes-read/documents", { body: { text: "Here." } });
    expect((await app.call("GET", `/v1/knowledge/bases/leads/documents/${added.body.document_id}`)).status).toBe(404);
    expect(
      (await app.call("GET", "/v1/knowledge/bases/notes-read/documents/doc_01jd8x0000000000000000000d")).status,
    ).toBe(404);
  });

  it("is found by its external id too, whatever characters that has", async () => {
    for (const external_id of ["rule_1", "rules/2 & 3", "doc_of_ours"]) {
      const added = await app.call("POST", "/v1/knowledge/bases/notes-read/documents", {
        body: { external_id, text: `Of ${external_id}.` },
      });
      const { status, body } = await app.call(
        "GET",
        `/v1/knowledge/bases/notes-read/documents/${encodeURIComponent(external_id)}`,
      );
      expect([status, body.document_id, body.external_id]).toEqual([200, added.body.document_id, external_id]);
    }
    expect((await app.call("GET", "/v1/knowledge/bases/leads/documents/rule_1")).status).toBe(404);
  });

  it("shows a text of the sample under its own id", async () => {
    const { rows } = await app.pool.query("select id from documents where external_id = 'routing'");
    const { body } = await app.call("GET", `/v1/knowledge/bases/playbook/documents/${rows[0].id}`);
    expect(body).toMatchObject({
      title: "Which team takes a lead",
      text: expect.stringContaining("enterprise"),
      fields: null,
      chunks: 1,
    });
  });
});
