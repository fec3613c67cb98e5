import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { findRecords } from "../../public.ts";
import { MOST_DOCUMENTS } from "../../schemas.ts";

describe("adding many documents", () => {
  const app = useSharedApp();
  const add = (documents: unknown[], options = {}) =>
    app.call("POST", "/v1/knowledge/bases/accounts/documents/bulk", { body: { documents }, ...options });

  beforeAll(async () => {
    expect((await app.call("POST", "/v1/knowledge/bases", { body: { name: "accounts" } })).status).toBe(201);
  });

  it("takes as many records in one call as it says, all of which are then found", async () => {
    const documents = Array.from({ length: MOST_DOCUMENTS }, (_, at) => ({
      external_id: `ac_${at}`,
      fields: { name: `Account ${at}` },
    }));
    const { status, body } = await add(documents);
    expect([status, body.added, body.failed]).toEqual([207, MOST_DOCUMENTS, 0]);
    expect(body.results[7]).toMatchObject({
      index: 7,
      status: 202,
      document: { external_id: "ac_7", outcome: "added", chunks: 1 },
      errors: [],
    });
    const looking = { scope: app.scope, db: createReader(app.pool) };
    const keys = documents.map(({ external_id }) => ({ base: "accounts", id: external_id }));
    expect((await findRecords(looking, keys)).map((row) => row?.fields)).toEqual(documents.map(({ fields }) => fields));
  });

  it("refuses more than that, and none", async () => {
    const { status, body } = await add(Array.from({ length: MOST_DOCUMENTS + 1 }, () => ({ text: "a" })));
    expect([status, body.errors[0].pointer]).toEqual([422, "/documents"]);
    expect((await add([])).status).toBe(422);
  });

  it("adds what is sound, and says of the rest what is wrong with it, each by itself", async () => {
    const { status, body } = await add([
      { external_id: "m_1", text: "Sound." },
      { external_id: "m_2" },
      { external_id: 3, text: "The id is no text." },
      { external_id: "m_3", text: "The address would be lost.", url: "https://example.com/" },
      { external_id: "m_1", text: "Its id came before." },
      { text: "Without an id." },
      { text: "Without an id." },
      { external_id: "ac_1", fields: { name: "Another name" } },
      { external_id: "ac_2", fields: { name: "Account 2" } },
    ]);
    expect(status).toBe(207);
    expect(body).toMatchObject({ added: 2, replaced: 1, unchanged: 2, failed: 4 });
    const shown = body.results.map(
      (one: { status: number; document: { outcome: string } | null; errors: { pointer: string }[] }) => [
        one.status,
        one.document?.outcome ?? one.errors[0]?.pointer,
      ],
    );
    expect(shown).toEqual([
      [202, "added"],
      [422, ""],
      [422, "/external_id"],
      [422, "/url"],
      [422, "/external_id"],
      [202, "added"],
      [202, "unchanged"],
      [202, "replaced"],
      [202, "unchanged"],
    ]);
  });
});
