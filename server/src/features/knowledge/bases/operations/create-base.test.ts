import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

describe("creating a knowledge base", () => {
  const app = useSharedApp();
  const create = (body: object, options = {}) => app.call("POST", "/v1/knowledge/bases", { body, ...options });

  it("makes one of the key's environment, empty, in its language, and made by the caller", async () => {
    const { status, body } = await create({ name: "handbook", description: "How we work.", language: "german" });
    expect(status).toBe(201);
    const caller = (await app.call("GET", "/v1/admin/whoami")).body;
    expect(body).toEqual({
      base_id: expect.stringMatching(/^kb_/),
      name: "handbook",
      description: "How we work.",
      language: "german",
      documents: 0,
      records: 0,
      chunks: 0,
      readers: null,
      settings: { chunk_length: 1200 },
      review_days: null,
      version_days: null,
      revision: 1,
      embedding: null,
      reranker: null,
      health: {
        state: "empty",
        documents: { queued: 0, parsing: 0, indexing: 0, indexed: 0, failed: 0 },
        reindexing: false,
        reindex_error: null,
        stale: 0,
      },
      author: caller.principal.id,
      created_at: expect.any(String),
      updated_at: null,
    });
    const elsewhere = (await app.call("GET", "/v1/knowledge/bases", { environment: "staging" })).body.data;
    expect(elsewhere.map(({ name }: { name: string }) => name)).not.toContain("handbook");
  });

  it("takes English where no language is named", async () => {
    expect((await create({ name: "notes-made" })).body).toMatchObject({ language: "english", description: "" });
  });

  it("refuses a name that the environment has, and takes it in another one", async () => {
    expect((await create({ name: "twice" })).status).toBe(201);
    const again = await create({ name: "twice" });
    expect([again.status, again.body.code]).toEqual([409, "knowledge_base_exists"]);
    expect(again.body.detail).toContain("twice");
    expect((await create({ name: "twice" }, { environment: "staging" })).status).toBe(201);
  });

  it.each(["kb_01jd8x0000000000000000000b", "Big", "two words", ""])(
    "refuses %j as a name, naming the member",
    async (name) => {
      const { status, body } = await create({ name });
      expect(status).toBe(422);
      expect(body.errors).toMatchObject([{ pointer: "/name" }]);
    },
  );

  it("refuses a language that it has no stems of", async () => {
    const { status, body } = await create({ name: "elvish", language: "sindarin" });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ pointer: "/language" }]);
  });
});
