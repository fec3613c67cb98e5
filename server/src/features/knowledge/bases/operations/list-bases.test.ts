import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

describe("listing knowledge bases", () => {
  const app = useApp();

  it("shows those of the environment with how much is in each, newest first", async () => {
    await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes" } });
    await app.call("POST", "/v1/knowledge/bases/notes/documents", { body: { text: "One." } });
    await app.call("POST", "/v1/knowledge/bases/notes/documents", {
      body: { external_id: "r", text: "Two.", fields: { a: 1 } },
    });
    const { status, body } = await app.call("GET", "/v1/knowledge/bases");
    expect(status).toBe(200);
    const shown = body.data.map((one: Record<string, unknown>) => [one.name, one.documents, one.records, one.chunks]);
    expect(shown[0]).toEqual(["notes", 2, 1, 3]);
    expect(shown.slice(1).sort()).toEqual([
      ["leads", 200, 200, 200],
      ["playbook", 10, 0, 10],
    ]);
    expect(Date.parse(body.data[0].updated_at)).toBeGreaterThanOrEqual(Date.parse(body.data[0].created_at));
    expect((await app.call("GET", "/v1/knowledge/bases", { environment: "production" })).body.data).toEqual([]);
  });

  it("pages without loss or doubling, also where some were made at the same moment", async () => {
    await app.pool.query("update knowledge_bases set created_at = (select max(created_at) from knowledge_bases)");
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await app.call("GET", `/v1/knowledge/bases?limit=1${cursor}`);
      seen.push(...body.data.map((one: { name: string }) => one.name));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen.sort()).toEqual(["leads", "notes", "playbook"]);
  });
});
